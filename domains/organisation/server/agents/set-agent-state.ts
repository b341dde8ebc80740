import { implement } from "@zhangfang/server/calls/call.ts";
import { setAgentState } from "../../contract/index.ts";
import { setNodeState } from "../set-node-state.ts";
import { findAgent } from "./find-agent.ts";

/** 启用或停用代理商: closing ends every session of the agent and its salesmen in this transaction. */
export const setAgentStateRoute = implement(setAgentState, async (ctx, { id, state }) => {
  const { service_provider_id: provider, state: before } = await findAgent(ctx.tx, ctx.scope, id);
  const endedSessions = await setNodeState(ctx.tx, ctx.services, { kind: "agent", serviceProviderId: provider, id }, state);
  ctx.note({ targetKind: "agent", targetId: id, before: { state: before }, after: { state, endedSessions }, provider });
  return { ok: true as const, endedSessions };
});
