import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { getBillSettings, setBillSettings } from "../../contract/index.ts";
import { readMerchant } from "../bills/own-merchant.ts";

export const getBillSettingsRoute = implement(getBillSettings, async (ctx, { merchantId, source }) => {
  const merchant = await readMerchant(ctx.tx, ctx.scope, merchantId);
  const found = await ctx.tx
    .selectFrom("bill_settings")
    .select(["daily", "fee_tolerance_cents as feeToleranceCents", "version"])
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.merchant_id)
    .where("source", "=", source)
    .executeTakeFirst();
  return found ?? { daily: true, feeToleranceCents: 1, version: 0 };
});

/** Who did not see the newest settings is told so instead of overwriting them. */
export const setBillSettingsRoute = implement(setBillSettings, async (ctx, { merchantId, source, version, daily, feeToleranceCents }) => {
  const merchant = await readMerchant(ctx.tx, ctx.scope, merchantId);
  const values = { daily, fee_tolerance_cents: feeToleranceCents, updated_at: ctx.now };
  const key = { service_provider_id: merchant.service_provider_id, merchant_id: merchant.merchant_id, source };
  const changed =
    version === 0
      ? await ctx.tx
          .insertInto("bill_settings")
          .values({ ...key, ...values })
          .onConflict((twice) => twice.doNothing())
          .executeTakeFirst()
      : await ctx.tx
          .updateTable("bill_settings")
          .set({ ...values, version: version + 1 })
          .where("service_provider_id", "=", key.service_provider_id)
          .where("merchant_id", "=", merchant.merchant_id)
          .where("source", "=", source)
          .where("version", "=", version)
          .executeTakeFirst();
  const rows = "numUpdatedRows" in changed ? changed.numUpdatedRows : changed.numInsertedOrUpdatedRows;
  if (rows !== 1n) throw conflict("设置已被别人修改，请重新打开后再改");
  ctx.note({
    targetKind: "bill_settings",
    targetId: merchant.merchant_id,
    provider: key.service_provider_id,
    merchant: merchant.merchant_id,
    after: { source, daily, feeToleranceCents },
  });
  return { ok: true as const };
});
