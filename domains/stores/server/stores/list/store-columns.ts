import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone, maskTail } from "@zhangfang/contract/text.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { openingWords, type Opening, type storeRow } from "../../../contract/index.ts";

type Row = z.input<typeof storeRow>;
/** A row as it is read: the week still in hours, the phone in full. */
export type FoundStore = Omit<Row, "hours"> & { readonly opening: Opening | null };

/** Today's sums of store `s`, by the attribution that the payments carry. */
const today = (
  scope: Scope,
  now_ms: number,
) => sql`(select coalesce(sum(t.paid_cents - t.refund_cents), 0)::bigint as cents, coalesce(sum(t.pay_count), 0)::int as count
  from takings_daily t where t.service_provider_id = s.service_provider_id and t.day = ${shanghaiDay(now_ms)}::date and t.store_id = s.id and ${inScope(scope, "t")})`;

/** The row of the list from stores `s`, with `storeNames` beside it. */
export const storeColumns = sql`
  s.id, s.number, s.name, s.short_name as "shortName", s.merchant_id as "merchantId", m.short_name as "merchantName",
  p.short_name as "serviceProviderName", s.province, s.city, s.district, s.address, s.phone, s.opening,
  (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name), '[]') from store_group_members gm
    join store_groups g on g.service_provider_id = gm.service_provider_id and g.id = gm.group_id
    where gm.service_provider_id = s.service_provider_id and gm.store_id = s.id) as groups,
  (select coalesce(json_agg(json_build_object('id', a.id, 'name', a.name) order by a.name), '[]') from area_stores x
    join areas a on a.service_provider_id = x.service_provider_id and a.id = x.area_id
    where x.service_provider_id = s.service_provider_id and x.store_id = s.id) as areas,
  (select count(*)::int from devices d where d.service_provider_id = s.service_provider_id and d.store_id = s.id and d.state in ('active', 'disabled')) as "deviceCount",
  t.cents as "todayCents", t.count as "todayCount", s.state, s.created_at as "createdAt"`;
/** What stands beside a store `s`: its merchant, its provider, today's sums. */
export const storeNames = (scope: Scope, now_ms: number) => sql`
  join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id
  join service_providers p on p.id = s.service_provider_id
  cross join lateral ${today(scope, now_ms)} t`;

/** A phone of any kind: the ends of a mobile number, the last four of everything else. */
export const maskStorePhone = (phone: string): string => (/^1\d{10}$/.test(phone) ? maskPhone(phone) : maskTail(phone));
/** A found row as it is shown: the phone masked, the week in words. */
export function shownStore({ opening, ...row }: FoundStore): Row {
  return { ...row, phone: row.phone && maskStorePhone(row.phone), hours: openingWords(opening) };
}
