import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { moveTeam } from "../../contract/index.ts";
import { checkGroup } from "./check-group.ts";
import { findTeam } from "./find-team.ts";

/**
 * 团队转移集团: the team's salesmen and merchants go with it in the same transaction. Whoever adds a merchant or a salesman to the
 * team meanwhile waits for the team's row (read-attribution.ts). Money facts keep the group that they were made with.
 */
export const moveTeamRoute = implement(moveTeam, async (ctx, { id, version, businessGroupId }) => {
  const before = await findTeam(ctx.tx, ctx.scope, id);
  const provider = before.service_provider_id;
  if (before.business_group_id === businessGroupId) throw invalid("businessGroupId", "团队已在该集团");
  if (businessGroupId !== null) await checkGroup(ctx.tx, ctx.scope, provider, businessGroupId);
  const values = { business_group_id: businessGroupId };
  await writeOver(ctx.tx, "business_teams", { service_provider_id: provider, id }, version, values, "团队资料");
  // writes: salesmen, merchants
  const follow = async (table: string): Promise<number> =>
    Number(
      (
        await sql`update ${sql.table(table)} set business_group_id = ${businessGroupId}
          where service_provider_id = ${provider} and business_team_id = ${id}`.execute(ctx.tx)
      ).numAffectedRows ?? 0,
    );
  const salesmanCount = await follow("salesmen");
  const merchantCount = await follow("merchants");
  ctx.note({
    targetKind: "team",
    targetId: id,
    before: { businessGroupId: before.business_group_id },
    after: { businessGroupId, merchantCount, salesmanCount },
    provider,
  });
  return { merchantCount, salesmanCount };
});
