import { implement } from "@zhangfang/server/calls/call.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { updateTeam } from "../../contract/index.ts";
import { findTeam } from "./find-team.ts";

/** 修改业务团队: over the version that was read, so that nobody overwrites what they did not see. */
export const updateTeamRoute = implement(updateTeam, async (ctx, { id, version, name, leader }) => {
  const before = await findTeam(ctx.tx, ctx.scope, id);
  const provider = before.service_provider_id;
  const values = { name, leader: leader ?? before.leader };
  await writeOver(ctx.tx, "business_teams", { service_provider_id: provider, id }, version, values, "团队资料");
  const newLeader = leader !== undefined && leader !== before.leader;
  ctx.note({ targetKind: "team", targetId: id, before: { name: before.name }, after: { name, 更换负责人: newLeader }, provider });
  return { ok: true as const };
});
