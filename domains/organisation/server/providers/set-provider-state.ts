import { implement } from "@zhangfang/server/calls/call.ts";
import { setProviderState } from "../../contract/index.ts";
import { setNodeState } from "../set-node-state.ts";
import { findProvider } from "./find-provider.ts";

/** 启用或停用服务商: closing ends every session of its tree in this transaction, and its devices are refused. */
export const setProviderStateRoute = implement(setProviderState, async (ctx, { id, state }) => {
  const { state: before } = await findProvider(ctx.tx, ctx.scope, id);
  const endedSessions = await setNodeState(ctx.tx, ctx.services, { kind: "provider", serviceProviderId: id, id }, state);
  ctx.note({ targetKind: "provider", targetId: id, before: { state: before }, after: { state, endedSessions }, provider: id });
  return { ok: true as const, endedSessions };
});
