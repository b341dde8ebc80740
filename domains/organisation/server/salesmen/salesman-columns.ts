import { sql, type RawBuilder } from "kysely";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { salesmanFilter, salesmanRow } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { maskAnyPhone } from "../merchants/list/merchant-columns.ts";
import { paidThisMonth } from "../this-month.ts";

export type SalesmanFilter = { readonly [K in keyof typeof salesmanFilter]?: z.output<(typeof salesmanFilter)[K]> };

/** What a filter on salesmen `s` means in SQL. @param leaveState without the state, for the counts of the tabs */
export function salesmenWhere(scope: Scope, filter: SalesmanFilter, leaveState = false): RawBuilder<boolean> {
  return all([
    inScope(scope, "s"),
    is("s.service_provider_id", filter.serviceProviderId),
    is("s.agent_id", filter.agentId),
    is("s.business_team_id", filter.businessTeamId),
    !leaveState && is("s.state", filter.state),
    filter.keyword && foundBy(filter.keyword),
  ]);
}
function foundBy(keyword: string): RawBuilder<unknown> {
  const tail = /^\d{4,11}$/.test(keyword) ? sql`or right(s.phone, ${sql.lit(keyword.length)}) = ${keyword}` : sql``;
  return sql`(s.name like ${likeText(keyword)} ${tail})`;
}

/** The row of the list from salesmen `s`, with `salesmanNames` beside it. Nobody stands above his own account. */
export const salesmanColumns = (scope: Scope, now_ms: number) => sql`
  s.id, s.name, s.phone, s.service_provider_id as "serviceProviderId", p.short_name as "serviceProviderName",
  a.id as "agentId", a.name as "agentName", t.id as "businessTeamId", t.name as "teamName",
  (select count(*)::int from merchants m where m.service_provider_id = s.service_provider_id and m.salesman_id = s.id and ${inScope(scope, "m")}) as "merchantCount",
  ${paidThisMonth(scope, now_ms, "salesman_id", "s")} as "monthPaidCents", s.state, s.created_at as "createdAt",
  ${
    scope.level === "SM"
      ? sql`null::uuid`
      : sql`(select u.id from users u where u.service_provider_id = s.service_provider_id and u.salesman_id = s.id and u.level = 'SM'
          and u.login = u.root_login and u.state = 'active' and s.state = 'active' order by u.created_at, u.id limit 1)`
  } as "loginUserId"`;

/** Provider, agent and team beside salesmen `s`; names are there for those who see the node itself. */
export function salesmanNames(scope: Scope): RawBuilder<unknown> {
  const seenBy = (...levels: Scope["level"][]) => sql.lit(["PLATFORM", "ADMIN", "SP", ...levels].includes(scope.level));
  return sql`join service_providers p on p.id = s.service_provider_id
    left join agents a on a.service_provider_id = s.service_provider_id and a.id = s.agent_id and ${seenBy("AG")}
    left join business_teams t on t.service_provider_id = s.service_provider_id and t.id = s.business_team_id and ${seenBy("GP", "TM")}`;
}

/** Masks what is personal in found rows. */
export const withPhoneMasked = <R extends Pick<z.input<typeof salesmanRow>, "phone">>(row: R): R => ({
  ...row,
  phone: row.phone && maskAnyPhone(row.phone),
});
