import type { Transaction } from "@zhangfang/server/db.ts";
import { invalid } from "@zhangfang/server/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/scope.ts";

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
 * Whether a merchant may be given to these nodes: each open, of the provider, and in the caller's sight: below the provider
 * an agent or a team names itself alone.
 * @returns the salesman's own agent and team, where one is named
 * @throws 400 at the field, one answer for what is closed, elsewhere or nothing at all
 */
export async function checkNodes(tx: Transaction, scope: Scope, provider: string, wanted: WantedNodes): Promise<SalesmanOf | undefined> {
  const above = scope.level === "ADMIN" || scope.level === "SP";
  for (const [field, table, given, own, what] of [
    ["agentId", "agents", wanted.agentId, scope.level === "AG" ? scope.agent : undefined, "代理商"],
    ["businessTeamId", "business_teams", wanted.businessTeamId, scope.level === "TM" ? scope.team : undefined, "业务团队"],
  ] as const) {
    if (!given) continue;
    const found = await tx
      .selectFrom(table)
      .select("state")
      .where("service_provider_id", "=", provider)
      .where("id", "=", given)
      .executeTakeFirst();
    if (found?.state !== "active" || (!above && given !== own)) throw invalid(field, `${what}不存在或已停用`);
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
