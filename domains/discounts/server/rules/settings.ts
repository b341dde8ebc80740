import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import type { LimitsDoor } from "../../../pricing/server/index.ts";
import { type DiscountSettings, discountSettings, getDiscountSettings, saveDiscountSettings } from "../../contract/index.ts";

interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
interface Kept extends DiscountSettings {
  readonly version: number;
}
/** The settings that hold; those of nobody who set them are the product's own. */
async function settingsOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant): Promise<Kept> {
  const { rows } =
    await sql<Kept>`select s.version, s.without, s.most_whole as "mostWhole", s.most_item as "mostItem", s.manual_percent as "manualPercent",
      s.manual_cents as "manualCents" from discount_settings s
    where s.service_provider_id = ${service_provider_id} and s.merchant_id = ${merchant_id} order by s.version desc limit 1`.execute(tx);
  return rows[0] ?? { version: 0, ...discountSettings.parse({}) };
}
/** What one order may use, for pricing. */
export const discountLimits: LimitsDoor = {
  async of(tx, where) {
    const { mostWhole, mostItem, manualPercent, manualCents } = await settingsOf(tx, where);
    return { whole: mostWhole, item: mostItem, manual_percent: manualPercent, manual_cents: manualCents };
  },
};

function ownMerchant({ scope: { provider, merchant } }: Ctx): Merchant {
  if (!provider || !merchant) throw notFound("商户");
  return { service_provider_id: provider, merchant_id: merchant };
}
/** 优惠设置. */
export const getDiscountSettingsRoute = implement(getDiscountSettings, async (ctx) => {
  const { version, ...settings } = await settingsOf(ctx.tx, ownMerchant(ctx));
  const { rows } = await sql<{
    version: number;
    by: string;
    at: never;
  }>`select s.version, s.by_name as by, s.created_at as at from discount_settings s
    where ${inScope(ctx.scope, "s", "merchant")} order by s.version desc limit 50`.execute(ctx.tx);
  return { version, settings, versions: rows };
});
/** 修改优惠设置: holds from the next price on. */
export const saveDiscountSettingsRoute = implement(saveDiscountSettings, async (ctx, { version: seen, settings }) => {
  const merchant = ownMerchant(ctx);
  const before = await settingsOf(ctx.tx, merchant);
  const changed = () => conflict("优惠设置已被别人修改，请刷新后再改", "version.changed");
  if (before.version !== seen) throw changed();
  const { numInsertedOrUpdatedRows } = await ctx.tx
    .insertInto("discount_settings")
    .values({
      ...merchant,
      version: seen + 1,
      without: [...settings.without],
      most_whole: settings.mostWhole,
      most_item: settings.mostItem,
      manual_percent: settings.manualPercent,
      manual_cents: settings.manualCents,
      by_name: askerOf(ctx).name,
      created_at: ctx.now,
    })
    .onConflict((rival) => rival.columns(["service_provider_id", "merchant_id", "version"]).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw changed();
  ctx.note({
    targetKind: "discount_settings",
    targetId: merchant.merchant_id,
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
    before,
    after: settings,
  });
  return { ok: true as const };
});
