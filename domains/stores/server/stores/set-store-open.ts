import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { setStoreOpen } from "../../contract/index.ts";
import { setStoreState } from "./set-store-state.ts";

/** 启用或停用门店: closing ends the sessions of its employees and area managers in this transaction. */
export const setStoreOpenRoute = implement(setStoreOpen, async (ctx, { id, state }) => {
  const found = await ctx.tx
    .selectFrom("stores as s")
    .select(["s.service_provider_id", "s.merchant_id", "s.state"])
    .where("s.id", "=", id)
    .where(inScope(ctx.scope, "s"))
    .executeTakeFirst();
  if (!found) throw notFound("门店");
  const provider = found.service_provider_id;
  const endedSessions = await setStoreState(ctx.tx, ctx.services, { serviceProviderId: provider, id }, state);
  ctx.note({
    targetKind: "store",
    targetId: id,
    before: { state: found.state },
    after: { state, endedSessions },
    provider,
    merchant: found.merchant_id,
  });
  return { ok: true as const, endedSessions };
});
