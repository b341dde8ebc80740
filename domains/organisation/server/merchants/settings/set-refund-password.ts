import { implement } from "@zhangfang/server/calls/call.ts";
import { hashPassword } from "../../../../accounts/server/index.ts";
import { setRefundPassword } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";

/** 设置退款密码: kept as its hash alone; null takes it away. */
export const setRefundPasswordRoute = implement(setRefundPassword, async (ctx, { merchantId, password }) => {
  const hash = password === null ? null : await hashPassword(password);
  return ctx.transaction(async (tx) => {
    const merchant = await whichMerchant(tx, ctx.scope, merchantId);
    const values = { refund_password_hash: hash, refund_password_at: hash === null ? null : ctx.now };
    await tx
      .insertInto("merchant_settings")
      .values({ service_provider_id: merchant.service_provider_id, merchant_id: merchant.id, ...values, updated_at: ctx.now })
      .onConflict((conflicting) => conflicting.columns(["service_provider_id", "merchant_id"]).doUpdateSet(values))
      .execute();
    await ctx.audit(tx, {
      targetKind: "merchant-settings",
      targetId: merchant.id,
      after: { refundPassword: hash === null ? "已取消" : "已设置" },
      provider: merchant.service_provider_id,
      merchant: merchant.id,
    });
    return { ok: true as const };
  });
});
