import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { canonical, type Priced, priceCoupons } from "../../../coupons/server/index.ts";
import { ruleOn } from "../../../points/server/index.ts";
import { lawOf, type LawTick, type LotteryTerms, MOST_DAYS, prizeWords, sayLottery } from "../../contract/index.ts";
import { dayNo } from "../rules/draw-rules.ts";
import { costOf, mostOf } from "../rules/prize-rules.ts";

export interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** What somebody writes of a lottery. */
export interface Facts {
  readonly firstDay: string;
  readonly lastDay: string;
  readonly terms: LotteryTerms;
}
/** Rules with what they may cost and what they say. */
export interface Checked {
  readonly costs: readonly number[];
  readonly words: readonly string[];
  readonly most_cents: number;
  readonly said: string[];
  readonly law: readonly LawTick[];
}
/** A last day is whole. */
export const spanOf = ({ firstDay, lastDay }: Pick<Facts, "firstDay" | "lastDay">) => ({
  begins_at: dayStart(firstDay),
  ends_at: dayStart(addDays(lastDay, 1)),
});
export const daysOf = ({ begins_at, ends_at }: { readonly begins_at: string; readonly ends_at: string }) => ({
  firstDay: shanghaiDay(begins_at),
  lastDay: shanghaiDay(Date.parse(ends_at) - 1),
});
/** What a lottery costs at most, with all that is added to it. */
export const MOST_BUDGET = 9_000_000_000;
export const OVER_BUDGET = "最多花超过 90,000,000.00 元，请减少数量";

/**
 * Rules that can be: stores and coupons are the merchant's, the coupons give out now and as long as the lottery runs.
 * @throws 404, or 400 at the field
 */
export async function readTerms(
  { tx, scope, now, now_ms }: Pick<Ctx, "tx" | "scope" | "now" | "now_ms">,
  merchant: Merchant,
  { terms, firstDay, lastDay }: Facts,
): Promise<Checked> {
  if (firstDay < shanghaiDay(now_ms)) throw invalid("firstDay", "开始日须在今天或以后：规则要在开始前公布");
  if (lastDay < firstDay) throw invalid("lastDay", "结束日不能早于开始日");
  if (dayNo(firstDay, lastDay) > MOST_DAYS) throw invalid("lastDay", `最多办 ${MOST_DAYS} 天`);
  await checkStores(tx, scope, terms.storeIds);
  const coupons = await priceCoupons(
    tx,
    merchant,
    terms.prizes.flatMap(({ campaignId, kind }) => (kind === "coupon" && campaignId !== null ? [campaignId] : [])),
  );
  for (const [at, { kind, campaignId }] of terms.prizes.entries())
    if (kind === "coupon") checkCoupon(`terms.prizes.${at}.campaignId`, coupons.get(campaignId ?? ""), lastDay);
  const spend = (await ruleOn(tx, merchant, now))?.rule.spend;
  const worth = spend?.on === true ? { points: spend.points, cents: spend.cents } : { points: 1, cents: 1 };
  const costs = terms.prizes.map((one) => costOf(one, new Map([...coupons].map(([id, { value_cents }]) => [id, value_cents])), worth));
  const names = Object.fromEntries([...coupons].map(([id, { worth: named }]) => [id, named]));
  const words = terms.prizes.map((one) => prizeWords(one, terms.pointsDays, names));
  const most_cents = mostOf(terms.prizes, costs);
  if (most_cents > MOST_BUDGET) throw invalid("terms.prizes", OVER_BUDGET);
  const host = await hostOf(tx, merchant);
  const redeemDay = addDays(lastDay, terms.redeemDays);
  const said = sayLottery(terms, { firstDay, lastDay, host, words, values: costs, redeemDay });
  return { costs, words, most_cents, said, law: lawOf(terms, costs) };
}
/** The same, and nothing of the law is missing. @throws 404, or 400 at the field */
export async function checkTerms(ctx: Pick<Ctx, "tx" | "scope" | "now" | "now_ms">, merchant: Merchant, facts: Facts): Promise<Checked> {
  const checked = await readTerms(ctx, merchant, facts);
  const missing = checked.law.find(({ ok }) => !ok);
  if (missing) throw invalid(missing.field, missing.text);
  return checked;
}
function checkCoupon(field: string, coupon: Priced | undefined, lastDay: string): void {
  if (!coupon) throw notFound("优惠券");
  if (coupon.state !== "RUNNING") throw invalid(field, `「${coupon.worth}」的券不在发放中`);
  if (coupon.ends_at < dayStart(addDays(lastDay, 1)))
    throw invalid(field, `「${coupon.worth}」的券发到 ${shanghaiDay(Date.parse(coupon.ends_at) - 1)} 为止，早于活动结束`);
}
async function checkStores(tx: Transaction, scope: Ctx["scope"], ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from stores s where s.service_provider_id = ${scope.provider}
    and s.id = any(${[...ids]}::uuid[]) and ${inScope(scope, "s", "merchant")}`.execute(tx);
  if (rows[0]?.n !== new Set(ids).size) throw notFound("门店");
}
async function hostOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant): Promise<string> {
  const { rows } = await sql<{ name: string }>`select m.name from merchants m
    where m.service_provider_id = ${service_provider_id} and m.id = ${merchant_id}`.execute(tx);
  return rows[0]!.name;
}

/** Writes a version of a lottery's rules. */
export async function writeTerms(
  tx: Transaction,
  { service_provider_id, merchant_id }: Merchant,
  given: Checked & {
    readonly lottery_id: string;
    readonly version: number;
    readonly terms: LotteryTerms;
    readonly by_name: string;
    readonly at: string;
  },
): Promise<void> {
  const { lottery_id, version, terms, costs, words, said, most_cents, by_name, at } = given;
  const text = canonical(terms);
  await tx
    .insertInto("lottery_terms")
    .values({
      service_provider_id,
      merchant_id,
      lottery_id,
      version,
      terms: text,
      said: sql`${said}::text[]`,
      costs: sql`${[...costs]}::bigint[]`,
      words: sql`${[...words]}::text[]`,
      most_cents,
      sha256: sha256(said.join("\n")),
      by_name,
      created_at: at,
    })
    .execute();
}
