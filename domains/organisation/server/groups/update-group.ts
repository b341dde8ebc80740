import { implement } from "@zhangfang/server/calls/call.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { updateGroup } from "../../contract/index.ts";
import { findGroup } from "./find-group.ts";

/** 修改业务集团: over the version that was read, so that nobody overwrites what they did not see. */
export const updateGroupRoute = implement(updateGroup, async (ctx, { id, version, name, leader }) => {
  const before = await findGroup(ctx.tx, ctx.scope, id);
  const provider = before.service_provider_id;
  const values = { name, leader: leader ?? before.leader };
  await writeOver(ctx.tx, "business_groups", { service_provider_id: provider, id }, version, values, "集团资料");
  const newLeader = leader !== undefined && leader !== before.leader;
  ctx.note({ targetKind: "group", targetId: id, before: { name: before.name }, after: { name, 更换负责人: newLeader }, provider });
  return { ok: true as const };
});
