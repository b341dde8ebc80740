import { implement } from "@zhangfang/server/calls/call.ts";
import { getMerchantSettings } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";

/** 商户配置: what is set, or what holds as long as nothing is. */
export const getMerchantSettingsRoute = implement(getMerchantSettings, async (ctx, { merchantId }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const row = await ctx.tx
    .selectFrom("merchant_settings")
    .selectAll()
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.id)
    .executeTakeFirst();
  return {
    merchantId: merchant.id,
    merchantName: merchant.short_name,
    memberAtPay: row?.member_at_pay ?? true,
    printReceipt: row?.print_receipt ?? true,
    speaker: row?.speaker ?? true,
    profitSharing: row?.profit_sharing ?? false,
    refundApprovalAbove: merchant.refund_approval_above_cents as never,
    refundDailyLimit: (row?.refund_daily_limit_cents ?? null) as never,
    refundPasswordAt: (row?.refund_password_at ?? null) as never,
    version: row?.version ?? 0,
  };
});
