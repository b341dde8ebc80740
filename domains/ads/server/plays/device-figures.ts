import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, daysBetween, shanghaiDay } from "@zhangfang/contract/time.ts";
import { all, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { isOnline, onlineCode } from "../../../devices/server/index.ts";
import type { adDeviceFilters, listAdDevices } from "../../contract/plays.ts";
import { STATISTICS_DAYS } from "../../contract/plays.ts";
import type { StatesNow } from "./states-now.ts";

export type Filters = z.output<z.ZodObject<typeof adDeviceFilters>>;
export type AdDeviceRow = RowOf<typeof listAdDevices>;
/** A row as it is read; what the schedule says of it hangs on its group. */
export type AdDeviceRead = Omit<AdDeviceRow, "playing" | "why" | "by"> & { readonly group: string };

const WEEK = 7;
/** The days that figures are of, both included; without any, the last seven. @throws 400 */
export function daysOf({ from, to }: Pick<Filters, "from" | "to">, now_ms: number): { readonly from: string; readonly to: string } {
  const last = to ?? shanghaiDay(now_ms);
  const first = from ?? addDays(last, 1 - WEEK);
  if (first > last) throw invalid("from", "开始日期不能晚于结束日期");
  if (daysBetween(first, last) >= STATISTICS_DAYS) throw invalid("from", `最多查询 ${STATISTICS_DAYS} 天`);
  return { from: first, to: last };
}

export const devicesFrom = ({ joined }: StatesNow) => sql`devices d
  join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id ${joined}`;

/** The devices that an ad reaches, narrowed. */
export function devicesWhere(scope: Scope, { below, key, states }: StatesNow, filters: Filters, now_ms: number): RawBuilder<boolean> {
  const { playing, online, keyword } = filters;
  const groups = [...states].filter(([, { why }]) => playing === undefined || (why === null) === (playing === 1)).map(([group]) => group);
  const like = keyword && likeText(keyword);
  return all([
    below,
    inScope(scope, "d", "store"),
    sql`${key} = any(${groups}::text[])`,
    online && isOnline(now_ms, online),
    like && sql`d.sn ilike ${like} or d.name ilike ${like}`,
    narrowed(filters, "d"),
  ]);
}

/** The sums `x` of an ad in its days, of devices narrowed as the list is; where nothing asks of the device, also of those that are gone. */
export function playsWhere(scope: Scope, states: StatesNow, filters: Filters, now_ms: number): RawBuilder<boolean> {
  const { from, to } = daysOf(filters, now_ms);
  const { ad_id, playing, online, keyword } = filters;
  return all([
    sql`x.ad_id = ${ad_id} and x.day between ${from} and ${to}`,
    inScope(scope, "x", "store"),
    narrowed(filters, "x"),
    (playing || online || keyword) &&
      sql`x.device_id in (select d.id from ${devicesFrom(states)} where ${devicesWhere(scope, states, filters, now_ms)})`,
  ]);
}
/** Whole seconds, the last one rounded; a month of 30,000 screens has more of them than an int holds. */
export const FIGURES = sql`coalesce(sum(x.plays), 0)::bigint as plays, coalesce(sum(x.finished), 0)::bigint as finished, coalesce(round(sum(x.ms) / 1000.0), 0)::bigint as seconds`;
/** What was told of, and could not have been shown. */
export const UNVERIFIED = sql`coalesce(sum(x.unverified), 0)::bigint as unverified`;
export const SUMS = sql`ad_plays_daily x`;

/** The rows of the list, in their order; `tail` is where it goes on and where it ends. */
export function devicesQuery(
  scope: Scope,
  states: StatesNow,
  filters: Filters,
  { now_ms, where = sql<boolean>`true`, limit }: { readonly now_ms: number; readonly where?: RawBuilder<boolean>; readonly limit?: number },
) {
  const { from, to } = daysOf(filters, now_ms);
  return sql<AdDeviceRead>`
    select l.*, f.plays, f.finished, f.seconds, f.unverified, (select max(x.last_at) from ad_plays_daily x
        where x.plays > 0 and x.service_provider_id = l.provider_id and x.device_id = l.id and x.ad_id = ${filters.ad_id}) as "lastPlayAt"
    from (select d.id, d.service_provider_id as provider_id, d.sn, d.name, d.model, ${onlineCode(now_ms)} as online, d.last_seen_at as "lastSeenAt", d.created_at as "createdAt",
        s.short_name as "storeName", m.short_name as "merchantName", p.short_name as "providerName", ${states.key} as group
      from ${devicesFrom(states)} join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id
        join service_providers p on p.id = d.service_provider_id
      where ${devicesWhere(scope, states, filters, now_ms)} and ${where}
      order by d.created_at desc, d.id desc ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}) l
    cross join lateral (select ${FIGURES}, ${UNVERIFIED} from ${SUMS} where x.service_provider_id = l.provider_id and x.device_id = l.id and x.ad_id = ${filters.ad_id}
      and x.day between ${from} and ${to}) f
    order by l."createdAt" desc, l.id desc`;
}
/** What the schedule says of a row. */
export function withState({ group, ...row }: AdDeviceRead, { states }: StatesNow): AdDeviceRow {
  const state = states.get(group);
  if (!state) throw new Error("a device outside its ad's groups");
  return { ...row, by: state.by, why: state.why, playing: state.why === null ? 1 : 2 };
}
