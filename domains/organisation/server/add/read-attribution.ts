import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";

export interface Attribution {
  readonly agent_id: string | null;
  readonly business_group_id: string | null;
  readonly business_team_id: string | null;
}

/**
 * Agent, team and group that go together: the salesman's own where there is one, and the team's group always. A team that is
 * being moved to another group is waited for.
 * @param known a team with its group, as a merchant has them: not everybody who hands it over sees them
 * @throws 400 where the salesman belongs to another agent or team than the one named, or the team does not exist
 */
export async function readAttribution(
  tx: Transaction,
  provider: string,
  given: { agentId?: string; businessTeamId?: string; salesmanId?: string },
  known?: Pick<Attribution, "business_team_id" | "business_group_id">,
): Promise<Attribution> {
  let { agentId, businessTeamId } = given;
  if (given.salesmanId !== undefined) {
    const salesman = await tx
      .selectFrom("salesmen")
      .select(["agent_id", "business_team_id"])
      .where("service_provider_id", "=", provider)
      .where("id", "=", given.salesmanId)
      .executeTakeFirst();
    if (!salesman) throw invalid("salesmanId", "业务员不存在");
    agentId ??= salesman.agent_id ?? undefined;
    businessTeamId ??= salesman.business_team_id ?? undefined;
    const foreign =
      (salesman.agent_id !== null && salesman.agent_id !== agentId) ||
      (salesman.business_team_id !== null && salesman.business_team_id !== businessTeamId);
    if (foreign) throw invalid("salesmanId", "业务员不属于所选的代理商或团队");
  }
  if (businessTeamId === undefined) return { agent_id: agentId ?? null, business_group_id: null, business_team_id: null };
  if (known?.business_team_id === businessTeamId)
    return { agent_id: agentId ?? null, business_group_id: known.business_group_id, business_team_id: businessTeamId };
  const team = await tx
    .selectFrom("business_teams")
    .select("business_group_id")
    .where("service_provider_id", "=", provider)
    .where("id", "=", businessTeamId)
    .forShare()
    .executeTakeFirst();
  if (!team) throw invalid("businessTeamId", "业务团队不存在");
  return { agent_id: agentId ?? null, business_group_id: team.business_group_id, business_team_id: businessTeamId };
}
