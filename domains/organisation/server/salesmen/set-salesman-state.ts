import { implement } from "@zhangfang/server/calls/call.ts";
import { setSalesmanState } from "../../contract/index.ts";
import { setNodeState } from "../set-node-state.ts";
import { findSalesman } from "./find-salesman.ts";

/** 启用或停用业务员: closing ends every session of his in this transaction; his merchants stay his until they are handed over. */
export const setSalesmanStateRoute = implement(setSalesmanState, async (ctx, { id, state }) => {
  const { service_provider_id: provider, state: before } = await findSalesman(ctx.tx, ctx.scope, id);
  const endedSessions = await setNodeState(ctx.tx, ctx.services, { kind: "salesman", serviceProviderId: provider, id }, state);
  ctx.note({ targetKind: "salesman", targetId: id, before: { state: before }, after: { state, endedSessions }, provider });
  return { ok: true as const, endedSessions };
});
