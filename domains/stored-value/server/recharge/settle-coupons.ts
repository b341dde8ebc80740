import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { settleFailedGifts } from "../../../coupons/server/index.ts";
import { settleRechargeCoupons } from "../../contract/index.ts";

/** 再发 or 不再发: coupons of a recharge that could not be given. */
export const settleRechargeCouponsRoute = implement(settleRechargeCoupons, async (ctx, { id, again }) => {
  const { rows } = await sql<{
    service_provider_id: string;
    merchant_id: string;
  }>`select r.service_provider_id, r.merchant_id from recharges r
    where r.id = ${id} and ${inScope(ctx.scope, "r", "store")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("充值");
  const { service_provider_id, merchant_id } = rows[0];
  await settleFailedGifts(ctx.tx, ctx.services, { service_provider_id, cause: "recharge", cause_id: id }, again);
  ctx.note({
    targetKind: "recharge",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    after: { coupons: again ? "again" : "dropped" },
  });
  return { ok: true as const };
});
