import { implement } from "@zhangfang/server/calls/call.ts";
import { setTeamState } from "../../contract/index.ts";
import { setNodeState } from "../set-node-state.ts";
import { findTeam } from "./find-team.ts";

/** 启用或停用业务团队: closing ends every session of the team and its salesmen in this transaction. */
export const setTeamStateRoute = implement(setTeamState, async (ctx, { id, state }) => {
  const { service_provider_id: provider, state: before } = await findTeam(ctx.tx, ctx.scope, id);
  const endedSessions = await setNodeState(ctx.tx, ctx.services, { kind: "team", serviceProviderId: provider, id }, state);
  ctx.note({ targetKind: "team", targetId: id, before: { state: before }, after: { state, endedSessions }, provider });
  return { ok: true as const, endedSessions };
});
