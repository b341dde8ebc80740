import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { canonical, priceCoupons } from "../../../coupons/server/index.ts";
import { ruleOn } from "../../../points/server/index.ts";
import { type ActivityKind, type ActivityTerms, giftWords, sayActivity } from "../../contract/index.ts";
import { type Costs, costOf, costsOf, partsOf, type PointWorth } from "../rules/activity-rules.ts";

interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** What somebody writes of an activity. */
export interface Facts {
  readonly kind: ActivityKind;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly terms: ActivityTerms;
}
/** Terms with what they may cost and what is said of them. */
export interface Checked {
  readonly costs: Costs;
  readonly place_cents: number;
  readonly said: string[];
  readonly worth: string;
}

/** A last day is whole. @example spanOf({ firstDay: "2026-12-01", lastDay: "2026-12-31" }).ends_at // "2026-12-31T16:00:00.000Z" */
export const spanOf = ({ firstDay, lastDay }: Pick<Facts, "firstDay" | "lastDay">) => ({
  begins_at: dayStart(firstDay),
  ends_at: dayStart(addDays(lastDay, 1)),
});
export const daysOf = ({ begins_at, ends_at }: { readonly begins_at: string; readonly ends_at: string }) => ({
  firstDay: shanghaiDay(begins_at),
  lastDay: shanghaiDay(Date.parse(ends_at) - 1),
});

/** What points of a merchant are worth at most where they pay. */
async function pointWorth(tx: Transaction, merchant: Merchant, now: string): Promise<PointWorth> {
  const spend = (await ruleOn(tx, merchant, now))?.rule.spend;
  return spend?.on === true ? { points: spend.points, cents: spend.cents } : { points: 1, cents: 1 };
}
const MOST_BUDGET = 9_000_000_000;

/**
 * Terms that can be: their stores and coupons are the merchant's, the coupons give out now and as long as the activity lasts.
 * @throws 404, or 400 at the field
 */
export async function checkTerms(
  { tx, scope, now, now_ms }: Pick<Ctx, "tx" | "scope" | "now" | "now_ms">,
  merchant: Merchant,
  { kind, terms, ...days }: Facts,
): Promise<Checked> {
  if (days.lastDay < shanghaiDay(now_ms)) throw invalid("lastDay", "结束日须在今天或以后");
  if (days.lastDay < days.firstDay) throw invalid("lastDay", "结束日不能早于开始日");
  // Balance that was spent meanwhile could not go back with the order.
  if (kind === "paid" && terms.gift.giftCents > 0) throw invalid("terms.gift.giftCents", "支付有礼不送余额：订单退款时收不回");
  await checkStores(tx, scope, terms.storeIds);
  const coupons = await priceCoupons(
    tx,
    merchant,
    terms.gift.coupons.map(({ campaignId }) => campaignId),
  );
  const { ends_at } = spanOf(days);
  for (const { campaignId } of terms.gift.coupons) {
    const coupon = coupons.get(campaignId);
    if (!coupon) throw notFound("优惠券");
    if (coupon.state !== "RUNNING") throw invalid("terms.gift.coupons", `「${coupon.worth}」的券不在发放中`);
    if (coupon.ends_at < ends_at)
      throw invalid("terms.gift.coupons", `「${coupon.worth}」的券发到 ${shanghaiDay(Date.parse(coupon.ends_at) - 1)} 为止，早于活动结束`);
  }
  const costs = costsOf(
    terms,
    new Map([...coupons].map(([id, { value_cents }]) => [id, value_cents])),
    await pointWorth(tx, merchant, now),
  );
  const place_cents = costOf(partsOf(terms, costs));
  if (place_cents * terms.places > MOST_BUDGET) throw invalid("terms.places", "最高成本超过 90,000,000.00 元，请减少名额");
  const names = Object.fromEntries([...coupons].map(([id, { worth }]) => [id, worth]));
  return { costs, place_cents, said: sayActivity(kind, terms, days, names), worth: giftWords(terms.gift, names) };
}
async function checkStores(tx: Transaction, scope: Ctx["scope"], ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from stores s where s.service_provider_id = ${scope.provider}
    and s.id = any(${[...ids]}::uuid[]) and ${inScope(scope, "s", "merchant")}`.execute(tx);
  if (rows[0]?.n !== new Set(ids).size) throw notFound("门店");
}

/** Writes a version of an activity's terms. */
export async function writeTerms(
  tx: Transaction,
  { service_provider_id, merchant_id }: Merchant,
  given: Checked & {
    readonly activity_id: string;
    readonly version: number;
    readonly terms: ActivityTerms;
    readonly by_name: string;
    readonly at: string;
  },
): Promise<void> {
  const { activity_id, version, terms, costs, place_cents, said, worth, by_name, at } = given;
  const text = canonical(terms);
  await tx
    .insertInto("activity_terms")
    .values({
      service_provider_id,
      merchant_id,
      activity_id,
      version,
      terms: text,
      said: sql`${said}::text[]`,
      worth,
      place_cents,
      costs: JSON.stringify(costs),
      sha256: sha256(text),
      by_name,
      created_at: at,
    })
    .execute();
}
export const decided = () => conflict("此活动已被处理，请刷新后查看");
