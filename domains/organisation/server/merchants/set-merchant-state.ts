import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { setMerchantState } from "../../contract/index.ts";
import { setNodeState } from "../set-node-state.ts";

/** 启用或停用商户: closing ends every session of the merchant and its stores in this transaction. */
export const setMerchantStateRoute = implement(setMerchantState, async (ctx, { id, state }) => {
  const found = await ctx.tx
    .selectFrom("merchants as m")
    .select(["m.service_provider_id", "m.state"])
    .where("m.id", "=", id)
    .where(inScope(ctx.scope, "m"))
    .executeTakeFirst();
  if (!found) throw notFound("商户");
  const provider = found.service_provider_id;
  const endedSessions = await setNodeState(ctx.tx, ctx.services, { kind: "merchant", serviceProviderId: provider, id }, state);
  ctx.note({
    targetKind: "merchant",
    targetId: id,
    before: { state: found.state },
    after: { state, endedSessions },
    provider,
    merchant: id,
  });
  return { ok: true as const, endedSessions };
});
