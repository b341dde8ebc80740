import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { updateGroup as endpoint } from "../../contract/index.ts";
import { findGroup } from "./find-group.ts";

/** 修改业务集团: over the version that was read, so that nobody overwrites what they did not see. */
export const updateGroup = implement(endpoint, async (ctx, { id, version, name, leader }) => {
  const before = await findGroup(ctx.tx, ctx.scope, id);
  const provider = before.service_provider_id;
  mustChange(
    await ctx.tx
      .updateTable("business_groups")
      .set({ name, leader: leader ?? before.leader, version: version + 1 })
      .where("service_provider_id", "=", provider)
      .where("id", "=", id)
      .where("version", "=", version)
      .executeTakeFirst(),
    () => conflict("集团资料已被其他人修改，请刷新后重试"),
  );
  const newLeader = leader !== undefined && leader !== before.leader;
  ctx.note({ targetKind: "group", targetId: id, before: { name: before.name }, after: { name, 更换负责人: newLeader }, provider });
  return { ok: true as const };
});
