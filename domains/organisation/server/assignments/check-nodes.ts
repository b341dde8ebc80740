import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { SIGNED } from "../../contract/index.ts";

export interface WantedNodes {
  readonly agentId?: string | null | undefined;
  readonly businessTeamId?: string | null | undefined;
  readonly salesmanId?: string | null | undefined;
}
export interface SalesmanOf {
  readonly agent_id: string | null;
  readonly business_team_id: string | null;
}

/**
 * Whether merchants or a salesman may be given to these nodes: each open, of the provider, and in the caller's sight: below the
 * provider an agent or a team names itself alone, a group its own teams.
 * @returns the salesman's own agent and team, where one is named
 * @throws 400 at the field, one answer for what is closed, elsewhere or nothing at all
 */
export async function checkNodes(tx: Transaction, scope: Scope, provider: string, wanted: WantedNodes): Promise<SalesmanOf | undefined> {
  const above = scope.level === "PLATFORM" || scope.level === "ADMIN" || scope.level === "SP";
  if (wanted.agentId) {
    const agent = await tx
      .selectFrom("agents")
      .select(["state", "status"])
      .where("service_provider_id", "=", provider)
      .where("id", "=", wanted.agentId)
      .executeTakeFirst();
    const own = above || (scope.level === "AG" && wanted.agentId === scope.agent);
    if (agent?.state !== "active" || agent.status !== SIGNED || !own) throw invalid("agentId", "代理商不存在或已停用");
  }
  if (wanted.businessTeamId) {
    const team = await tx
      .selectFrom("business_teams")
      .select(["state", "business_group_id"])
      .where("service_provider_id", "=", provider)
      .where("id", "=", wanted.businessTeamId)
      .executeTakeFirst();
    const own =
      above ||
      (scope.level === "TM" && wanted.businessTeamId === scope.team) ||
      (scope.level === "GP" && team?.business_group_id === scope.group);
    if (team?.state !== "active" || !own) throw invalid("businessTeamId", "业务团队不存在或已停用");
  }
  if (!wanted.salesmanId) return undefined;
  const salesman = await tx
    .selectFrom("salesmen as s")
    .select(["s.state", "s.agent_id", "s.business_team_id"])
    .where("s.service_provider_id", "=", provider)
    .where("s.id", "=", wanted.salesmanId)
    .where(inScope(scope, "s"))
    .executeTakeFirst();
  if (salesman?.state !== "active") throw invalid("salesmanId", "业务员不存在或已停用");
  return salesman;
}
