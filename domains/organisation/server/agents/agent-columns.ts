import { sql, type RawBuilder } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { z } from "zod";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { agentFilter } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

export type AgentFilter = { readonly [K in keyof typeof agentFilter]?: z.output<(typeof agentFilter)[K]> };

/** What a filter on agents `a` means in SQL. @param leaveState without the state, for the counts of the tabs */
export function agentsWhere(scope: Scope, filter: AgentFilter, leaveState = false): RawBuilder<boolean> {
  const like = filter.keyword && likeText(filter.keyword);
  return all([
    inScope(scope, "a"),
    is("a.service_provider_id", filter.serviceProviderId),
    !leaveState && is("a.state", filter.state),
    is("a.status", filter.contract),
    like && sql`a.name like ${like} or a.region like ${like}`,
  ]);
}

/** The row of the list from agents `a`, with `agentFigures` beside it. */
export const agentColumns = sql`
  a.id, a.name, a.region, a.service_provider_id as "serviceProviderId", p.short_name as "serviceProviderName",
  a.contact_name as "contactName", a.contact_phone as "contactPhone", f.ratio as "profitRatio",
  (select count(*)::int from merchants m where m.service_provider_id = a.service_provider_id and m.agent_id = a.id) as "merchantCount",
  (select count(*)::int from salesmen s where s.service_provider_id = a.service_provider_id and s.agent_id = a.id) as "salesmanCount",
  f.paid as "monthPaidCents", f.commission as "monthCommissionCents", a.state, a.status as "contractStatus",
  a.contract_until as "contractUntil", a.created_at as "createdAt",
  (select u.id from users u where u.service_provider_id = a.service_provider_id and u.agent_id = a.id and u.level = 'AG'
    and u.login = u.root_login and u.state = 'active' and a.state = 'active' and a.status = 2 order by u.created_at, u.id limit 1) as "loginUserId"`;

/** The provider and this month's figures beside agents `a`: what was paid, and the commission that was posted, up to yesterday. */
export function agentFigures(scope: Scope, now_ms: number): RawBuilder<unknown> {
  const today = shanghaiDay(now_ms);
  const inMonth = (alias: string) =>
    sql`${sql.ref(`${alias}.service_provider_id`)} = a.service_provider_id and ${sql.ref(`${alias}.day`)} between ${`${today.slice(0, 8)}01`}::date and ${today}::date and ${inScope(scope, alias)}`;
  return sql`join service_providers p on p.id = a.service_provider_id
    cross join lateral (
      select app.agent_ratio(a.service_provider_id, a.id, ${today}::date) as ratio,
        (select coalesce(sum(t.paid_cents), 0)::bigint from takings_daily t where t.agent_id = a.id and ${inMonth("t")}) as paid,
        (select coalesce(sum(k.net_cents), 0)::bigint from commission_daily k where k.agent_id = a.id and ${inMonth("k")}) as commission) f`;
}
