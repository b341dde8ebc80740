import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { couponWords, givableOf } from "../../../coupons/server/index.ts";
import { lockHolder } from "../../../value-book/server/index.ts";
import { MOST_CENTS } from "../../contract/index.ts";
import { type HoldingMember, mustMayRecharge } from "../member.ts";
import { givesOn, type RechargeRule, ruleNow } from "../rules/read-rules.ts";
import { type Tier, tierFor, whyNotRecharge } from "../stored-rules.ts";

/** What a recharge brings, by the rule as it stands. */
export interface PlannedRecharge {
  readonly rule: RechargeRule;
  readonly tier: Tier | undefined;
  readonly gift_cents: number;
  readonly points: number;
  /** Its coupons, where their campaign gives as many now. */
  readonly coupon: TierCoupon | undefined;
}
export interface TierCoupon {
  readonly campaign_id: string;
  readonly count: number;
}
/**
 * What coupons the tiers of a rule bring now, by their sum: where a campaign rests, is over, or has fewer left, a tier brings none, and nobody
 * is told that it does.
 */
export async function couponsOf(
  tx: Transaction,
  merchant: Pick<HoldingMember, "service_provider_id" | "merchant_id">,
  tiers: readonly Tier[],
  now_ms: number,
): Promise<ReadonlyMap<number, TierCoupon>> {
  const ids = tiers.flatMap(({ coupon_campaign_id }) => coupon_campaign_id ?? []);
  // A till sees no stock.
  const left = await asPlatform(tx, () => givableOf(tx, merchant, ids, new Date(now_ms).toISOString()));
  return new Map(
    tiers.flatMap(({ amount_cents, coupon_campaign_id: campaign_id, coupon_count: count = 1 }) =>
      campaign_id && (left.get(campaign_id) ?? 0) >= count ? [[amount_cents, { campaign_id, count }] as const] : [],
    ),
  );
}
/** How the coupons of a recharge are told, of these campaigns; empty where there are none. */
export async function couponsSaid(
  tx: Transaction,
  service_provider_id: string,
  campaigns: readonly string[],
): Promise<(coupon: TierCoupon | undefined) => string> {
  const words = await couponWords(tx, service_provider_id, campaigns);
  return (coupon) => (coupon ? `${words.get(coupon.campaign_id) ?? "优惠券"} ${coupon.count} 张` : "");
}

/**
 * What a recharge of a member brings, where it may be. The member's value is locked until the end: what two open recharges would bring
 * together counts.
 * @throws 400 at `amountCents`, 409 where the member may not, or the rule is another than the one shown
 */
export async function planRecharge(
  tx: Transaction,
  member: HoldingMember,
  { amount_cents, rule_id, now_ms }: { readonly amount_cents: number; readonly rule_id?: string | undefined; readonly now_ms: number },
): Promise<PlannedRecharge> {
  mustMayRecharge(member, now_ms);
  const rule = await ruleNow(tx, member);
  if (!rule) throw conflict("商户还没有设置储值规则", "rule.none");
  if (rule_id !== undefined && rule_id !== rule.id) throw conflict("储值规则已更新，请重新选择档位", "rule.changed");
  const balances = await lockHolder(tx, member);
  // At all stores: a till sees the recharges of its own alone.
  const { rows } = await asPlatform(tx, () =>
    sql<{ tier_cents: number | null; status: number; count: number; cents: number; principal: number }>`
    select r.tier_cents, r.status, count(*)::int as count, sum(r.principal_cents + r.gift_cents)::bigint as cents, sum(r.principal_cents)::bigint as principal
    from recharges r where r.service_provider_id = ${member.service_provider_id} and r.member_id in (select f.id from members f
        where f.service_provider_id = ${member.service_provider_id} and ${member.member_id}::uuid in (f.id, f.merged_into)) and r.status in (0, 2, 3)
    group by 1, 2`.execute(tx),
  );
  const taken = (tier: Tier) => rows.reduce((sum, row) => sum + (row.tier_cents === tier.amount_cents ? row.count : 0), 0);
  const tier = givesOn(rule, shanghaiDay(now_ms)) ? tierFor(rule.tiers, amount_cents, taken) : undefined;
  if (!rule.any_amount && !rule.tiers.some((one) => one.amount_cents === amount_cents))
    throw invalid("amountCents", "请选择储值档位里的金额");
  const open = rows.filter(({ status }) => status !== 2);
  const held = (...kinds: readonly string[]) => kinds.reduce((sum, kind) => sum + (balances.get(kind) ?? 0), 0);
  const why = whyNotRecharge({
    amount_cents,
    gift_cents: tier?.gift_cents ?? 0,
    held_cents: held("principal", "principal-held", "gift", "gift-held") + open.reduce((sum, { cents }) => sum + cents, 0),
    held_principal_cents: held("principal", "principal-held") + open.reduce((sum, { principal }) => sum + principal, 0),
    most_cents: MOST_CENTS,
    id_card_above_cents: rule.id_card_above_cents,
    has_id_card: member.has_id_card,
  });
  if (why !== undefined) throw invalid("amountCents", why);
  const coupon = tier && (await couponsOf(tx, member, [tier], now_ms)).get(tier.amount_cents);
  return { rule, tier, gift_cents: tier?.gift_cents ?? 0, points: tier?.points ?? 0, coupon };
}
/** The columns of a recharge that the plan says. */
export const plannedColumns = ({ rule, tier, gift_cents, points, coupon }: PlannedRecharge) => ({
  rule_id: rule.id,
  mode: rule.mode,
  tier_cents: tier?.amount_cents ?? null,
  gift_cents,
  points,
  coupon_campaign_id: coupon?.campaign_id ?? null,
  coupon_count: coupon?.count ?? null,
});
