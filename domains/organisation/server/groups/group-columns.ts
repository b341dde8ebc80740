import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { groupFilter } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { paidThisMonth } from "../this-month.ts";

export type GroupFilter = { readonly [K in keyof typeof groupFilter]?: z.output<(typeof groupFilter)[K]> };

/** What a filter on groups `g` means in SQL. @param leaveState without the state, for the counts of the tabs */
export function groupsWhere(scope: Scope, filter: GroupFilter, leaveState = false): RawBuilder<boolean> {
  return all([
    inScope(scope, "g"),
    is("g.service_provider_id", filter.serviceProviderId),
    !leaveState && is("g.state", filter.state),
    filter.keyword && sql`g.name like ${likeText(filter.keyword)}`,
  ]);
}

/** The row of the list from groups `g` with their provider `p`. */
export const groupColumns = (scope: Scope, now_ms: number) => sql`
  g.id, g.name, g.leader, g.service_provider_id as "serviceProviderId", p.short_name as "serviceProviderName",
  (select count(*)::int from business_teams t where t.service_provider_id = g.service_provider_id and t.business_group_id = g.id) as "teamCount",
  (select count(*)::int from merchants m where m.service_provider_id = g.service_provider_id and m.business_group_id = g.id) as "merchantCount",
  ${paidThisMonth(scope, now_ms, "business_group_id", "g")} as "monthPaidCents", g.state, g.created_at as "createdAt",
  (select u.id from users u where u.service_provider_id = g.service_provider_id and u.business_group_id = g.id and u.level = 'GP'
    and u.login = u.root_login and u.state = 'active' and g.state = 'active' order by u.created_at, u.id limit 1) as "loginUserId"`;
