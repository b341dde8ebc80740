import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { updateMerchantSettings as endpoint } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";

/** 修改商户配置: over the version that was read; the limits hold from the next refund on. */
export const updateMerchantSettings = implement(endpoint, async (ctx, { merchantId, version, ...given }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const key = { service_provider_id: merchant.service_provider_id, merchant_id: merchant.id };
  const values = {
    member_at_pay: given.memberAtPay,
    print_receipt: given.printReceipt,
    speaker: given.speaker,
    profit_sharing: given.profitSharing,
    refund_daily_limit_cents: given.refundDailyLimit,
    version: version + 1,
    updated_at: ctx.now,
  };
  const changed =
    version === 0
      ? await ctx.tx
          .insertInto("merchant_settings")
          .values({ ...key, ...values })
          .onConflict((conflicting) => conflicting.columns(["service_provider_id", "merchant_id"]).doNothing())
          .executeTakeFirst()
      : await ctx.tx
          .updateTable("merchant_settings")
          .set(values)
          .where("service_provider_id", "=", key.service_provider_id)
          .where("merchant_id", "=", key.merchant_id)
          .where("version", "=", version)
          .executeTakeFirst();
  const count = "numUpdatedRows" in changed ? changed.numUpdatedRows : changed.numInsertedOrUpdatedRows;
  mustChange({ numUpdatedRows: count ?? 0n }, () => conflict("配置已被其他人修改，请刷新后重试"));
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
