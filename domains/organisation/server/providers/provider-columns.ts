import { sql, type RawBuilder } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { providerFilter } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

export type ProviderFilter = { readonly [K in keyof typeof providerFilter]?: z.output<(typeof providerFilter)[K]> };

/** Contracts that run and end within 30 days. */
export const endsSoon = (now_ms: number) =>
  sql<boolean>`(p.contract_state = 'signed' and p.contract_until between ${shanghaiDay(now_ms)}::date and ${shanghaiDay(now_ms)}::date + 30)`;

/** What a filter on providers `p` means in SQL. @param leaveState without the state, for the counts of the tabs */
export function providersWhere(scope: Scope, filter: ProviderFilter, now_ms: number, leaveState = false): RawBuilder<boolean> {
  const like = filter.keyword && likeText(filter.keyword);
  return all([
    inScope(scope, "p"),
    !leaveState && is("p.state", filter.state),
    is("p.contract_state", filter.contract),
    filter.expiring && endsSoon(now_ms),
    like && sql`p.name like ${like} or p.short_name like ${like} or p.number like ${like}`,
  ]);
}

const countOf = (table: string) => sql`(select count(*)::int from ${sql.table(table)} x where x.service_provider_id = p.id)`;
/** The row of the list from providers `p`. */
export const providerColumns = (now_ms: number) => sql`
  p.id, p.number, p.name, p.short_name as "shortName", p.contact_name as "contactName", p.contact_phone as "contactPhone",
  p.fee_rate as "feeRate", ${countOf("merchants")} as "merchantCount", ${countOf("stores")} as "storeCount",
  ${countOf("devices")} as "deviceCount", ${countOf("users")} as "accountCount",
  json_build_object('merchants', p.merchant_quota, 'stores', p.store_quota, 'devices', p.device_quota, 'accounts', p.account_quota) as quotas,
  p.state, p.contract_state as "contractState", p.contract_from as "contractFrom", p.contract_until as "contractUntil",
  p.contract_until - ${shanghaiDay(now_ms)}::date as "daysLeft", p.created_at as "createdAt",
  (select u.id from users u where u.service_provider_id = p.id and u.level = 'SP' and u.login = u.root_login and u.state = 'active'
    and p.state = 'active' and p.contract_state = 'signed' order by u.created_at, u.id limit 1) as "loginUserId"`;
