import { implement } from "@zhangfang/server/calls/call.ts";
import { setGroupState } from "../../contract/index.ts";
import { setNodeState } from "../set-node-state.ts";
import { findGroup } from "./find-group.ts";

/** 启用或停用业务集团: closing ends every session of the group, its teams and their salesmen in this transaction. */
export const setGroupStateRoute = implement(setGroupState, async (ctx, { id, state }) => {
  const { service_provider_id: provider, state: before } = await findGroup(ctx.tx, ctx.scope, id);
  const endedSessions = await setNodeState(ctx.tx, ctx.services, { kind: "group", serviceProviderId: provider, id }, state);
  ctx.note({ targetKind: "group", targetId: id, before: { state: before }, after: { state, endedSessions }, provider });
  return { ok: true as const, endedSessions };
});
