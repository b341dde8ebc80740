import { implement } from "@zhangfang/server/calls/call.ts";
import { setOver } from "@zhangfang/server/database/write-over.ts";
import { updateMerchantSettings } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";

/** 修改商户配置: over the version that was read; the limits hold from the next refund on. */
export const updateMerchantSettingsRoute = implement(updateMerchantSettings, async (ctx, { merchantId, version, ...given }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const key = { service_provider_id: merchant.service_provider_id, merchant_id: merchant.id };
  const before = await ctx.tx
    .selectFrom("merchant_settings")
    .select("print_receipt")
    .where("service_provider_id", "=", key.service_provider_id)
    .where("merchant_id", "=", key.merchant_id)
    .executeTakeFirst();
  const values = {
    member_at_pay: given.memberAtPay,
    print_receipt: given.printReceipt,
    ...(before?.print_receipt === false && given.printReceipt && { print_receipt_since: ctx.now }),
    speaker: given.speaker,
    profit_sharing: given.profitSharing,
    refund_daily_limit_cents: given.refundDailyLimit,
    updated_at: ctx.now,
  };
  await setOver(ctx.tx, "merchant_settings", key, version, values, "配置");
  await ctx.tx
    .updateTable("merchants")
    .set({ refund_approval_above_cents: given.refundApprovalAbove })
    .where("service_provider_id", "=", key.service_provider_id)
    .where("id", "=", merchant.id)
    .execute();
  ctx.note({
    targetKind: "merchant-settings",
    targetId: merchant.id,
    before: { refundApprovalAbove: merchant.refund_approval_above_cents },
    after: given,
    provider: merchant.service_provider_id,
    merchant: merchant.id,
  });
  return { ok: true as const };
});
