import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { teamFilter } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { paidThisMonth } from "../this-month.ts";

export type TeamFilter = { readonly [K in keyof typeof teamFilter]?: z.output<(typeof teamFilter)[K]> };

/** What a filter on teams `t` means in SQL. @param leaveState without the state, for the counts of the tabs */
export function teamsWhere(scope: Scope, filter: TeamFilter, leaveState = false): RawBuilder<boolean> {
  return all([
    inScope(scope, "t"),
    is("t.service_provider_id", filter.serviceProviderId),
    is("t.business_group_id", filter.businessGroupId),
    !leaveState && is("t.state", filter.state),
    filter.keyword && sql`t.name like ${likeText(filter.keyword)}`,
  ]);
}

/** The row of the list from teams `t`, with `teamNames` beside it. */
export const teamColumns = (scope: Scope, now_ms: number) => sql`
  t.id, t.name, t.leader, t.service_provider_id as "serviceProviderId", p.short_name as "serviceProviderName",
  t.business_group_id as "businessGroupId", g.name as "groupName",
  (select count(*)::int from salesmen s where s.service_provider_id = t.service_provider_id and s.business_team_id = t.id) as "salesmanCount",
  (select count(*)::int from merchants m where m.service_provider_id = t.service_provider_id and m.business_team_id = t.id) as "merchantCount",
  ${paidThisMonth(scope, now_ms, "business_team_id", "t")} as "monthPaidCents", t.state, t.created_at as "createdAt",
  (select u.id from users u where u.service_provider_id = t.service_provider_id and u.business_team_id = t.id and u.level = 'TM'
    and u.login = u.root_login and u.state = 'active' and t.state = 'active' order by u.created_at, u.id limit 1) as "loginUserId"`;

/** Provider and group beside teams `t`: whoever sees a team here sees its group. */
export const teamNames = sql`join service_providers p on p.id = t.service_provider_id
  left join business_groups g on g.service_provider_id = t.service_provider_id and g.id = t.business_group_id`;
