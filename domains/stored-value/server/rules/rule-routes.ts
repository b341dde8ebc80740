import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { askerOf, storeOf, type TillStore } from "../../../orders/server/index.ts";
import { customersOf } from "../../../pricing/server/index.ts";
import { givableOf } from "../../../coupons/server/index.ts";
import { getRechargeRules, getTillRechargeRules, MOST_CENTS, type RechargeTier, saveRechargeRules } from "../../contract/index.ts";
import { owedNow } from "../reports/liability.ts";
import { type OfferedTier, offerRecharge } from "../recharge/offer-recharge.ts";
import { couponsOf, couponsSaid } from "../recharge/plan-recharge.ts";
import { givesOn, readRules, type RechargeRule, ruleNow } from "./read-rules.ts";

const merchantOf = ({ provider, merchant }: Scope) => {
  if (!provider || !merchant) throw notFound("商户");
  return { service_provider_id: provider, merchant_id: merchant };
};
const shown = (rule: RechargeRule) => ({
  id: rule.id,
  version: rule.version,
  tiers: rule.tiers.map(({ amount_cents, gift_cents, points, most, coupon_campaign_id = null, coupon_count = 1 }) => ({
    amountCents: amount_cents as never,
    giftCents: gift_cents as never,
    points,
    most,
    couponCampaignId: coupon_campaign_id,
    couponCount: coupon_count,
  })),
  mode: rule.mode,
  anyAmount: rule.any_amount,
  wishPays: rule.wish_pays,
  idCardAboveCents: rule.id_card_above_cents,
  secondAboveCents: rule.second_above_cents,
  firstDay: rule.first_day,
  lastDay: rule.last_day,
  madeBy: rule.made_by_name,
  createdAt: rule.created_at as never,
});

/** 储值规则, with what is owed now. */
export const getRechargeRulesRoute = implement(getRechargeRules, async (ctx) => {
  const merchant = merchantOf(ctx.scope);
  const [rule, ...earlier] = await readRules(ctx.tx, merchant);
  return {
    rule: rule ? shown(rule) : null,
    earlier: earlier.map((one) => ({
      version: one.version,
      madeBy: one.made_by_name,
      createdAt: one.created_at as never,
      tiers: one.tiers.length,
    })),
    owed: (await owedNow(ctx.tx, merchant, shanghaiDay(ctx.now_ms))) as never,
  };
});

/** 保存储值规则: the next version; somebody else's since is refused. */
export const saveRechargeRulesRoute = implement(saveRechargeRules, async (ctx, { version, ...given }) => {
  const merchant = merchantOf(ctx.scope);
  const tiers = given.tiers
    .map(({ amountCents, giftCents, points, most, couponCampaignId, couponCount }) => ({
      amount_cents: amountCents,
      gift_cents: giftCents,
      points,
      most,
      ...(couponCampaignId !== null && { coupon_campaign_id: couponCampaignId, coupon_count: couponCount }),
    }))
    .toSorted((a, b) => a.amount_cents - b.amount_cents);
  await checkCoupons(ctx, merchant, given.tiers);
  const before = await ruleNow(ctx.tx, merchant);
  if ((before?.version ?? 0) !== version) throw changed();
  const added = await ctx.tx
    .insertInto("recharge_rules")
    .values({
      ...merchant,
      id: ctx.services.ids.uuid(ctx.now_ms),
      version: version + 1,
      tiers: sql`${JSON.stringify(tiers)}::jsonb`,
      mode: given.mode,
      any_amount: given.anyAmount,
      wish_pays: given.wishPays,
      id_card_above_cents: given.idCardAboveCents,
      second_above_cents: given.secondAboveCents,
      first_day: given.firstDay,
      last_day: given.lastDay,
      made_by_name: askerOf(ctx).name,
      created_at: ctx.now,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "version"]).doNothing())
    .executeTakeFirst();
  mustChange(added, changed);
  ctx.note({
    targetKind: "recharge_rule",
    ...(before && { before: { version, tiers: before.tiers } }),
    after: { version: version + 1, ...given },
  });
  return { version: version + 1 };
});
/** @throws 400 where a tier's coupons are not given out now */
async function checkCoupons(ctx: Ctx, merchant: ReturnType<typeof merchantOf>, tiers: readonly RechargeTier[]): Promise<void> {
  const ids = tiers.flatMap(({ couponCampaignId }) => couponCampaignId ?? []);
  const givable = await givableOf(ctx.tx, merchant, ids, ctx.now);
  const at = tiers.findIndex(({ couponCampaignId }) => couponCampaignId !== null && !givable.has(couponCampaignId));
  if (at >= 0) throw invalid(`tiers.${at}.couponCampaignId`, "这张优惠券不在发放中");
}
const changed = () => conflict("储值规则已有新版本，请重新打开后再改", "rule.changed");

/** 收银储值档位: what holds today; for a member whose ticket comes along, as it would come to them. */
export const getTillRechargeRulesRoute = implement(getTillRechargeRules, (ctx, { ticket }) =>
  ctx.transaction(async (tx) => {
    const store = storeOf(ctx.scope);
    const offered = ticket === undefined ? await offersOf(tx, store, ctx.now_ms) : await offersTo(ctx, tx, store, ticket);
    const { rule, bar, tiers } = offered;
    return {
      ruleId: rule?.id ?? null,
      anyAmount: rule?.any_amount ?? false,
      mostCents: MOST_CENTS as never,
      bar: bar ?? null,
      tiers: tiers.map(({ amount_cents, gift_cents, points, coupons, why }) => ({
        amountCents: amount_cents as never,
        giftCents: gift_cents as never,
        points,
        coupons,
        why: why ?? null,
      })),
    };
  }),
);
interface Offers {
  readonly rule: RechargeRule | undefined;
  readonly bar: string | undefined;
  readonly tiers: readonly OfferedTier[];
}
async function offersTo(ctx: Ctx, tx: Transaction, store: TillStore, ticket: string): Promise<Offers> {
  const { member_id } = await customersOf(ctx.services).open(tx, ctx.services, { ...store, at: ctx.now }, ticket);
  const { bar, ...offered } = await offerRecharge(tx, { ...store, member_id }, ctx.now_ms);
  return { ...offered, bar: bar?.why };
}
/** What everybody is offered. */
async function offersOf(tx: Transaction, store: TillStore, now_ms: number): Promise<Offers> {
  const rule = await ruleNow(tx, store);
  const own = rule && givesOn(rule, shanghaiDay(now_ms)) ? rule.tiers : [];
  const coupons = await couponsOf(tx, store, own, now_ms);
  const saidOf = await couponsSaid(
    tx,
    store.service_provider_id,
    [...coupons.values()].map(({ campaign_id }) => campaign_id),
  );
  return { rule, bar: undefined, tiers: own.map((tier) => ({ ...tier, coupons: saidOf(coupons.get(tier.amount_cents)), why: undefined })) };
}
