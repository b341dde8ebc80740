import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { inSavepoint, type Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Holder } from "../../../value-book/server/index.ts";
import { keepMember, mustMayRecharge } from "../member.ts";
import { givesOn, type RechargeRule, ruleNow } from "../rules/read-rules.ts";
import { couponsOf, couponsSaid, planRecharge } from "./plan-recharge.ts";

/** A tier as one member would get it now. */
export interface OfferedTier {
  readonly amount_cents: number;
  readonly gift_cents: number;
  readonly points: number;
  /** Coupons that come with it, in words; empty where none do. */
  readonly coupons: string;
  /** Why it can't be taken. */
  readonly why: string | undefined;
}
/** Why a member may not recharge at all, and how the page helps: by a name, or not. */
export interface RechargeBar {
  readonly why: string;
  readonly code: string;
}

/**
 * What a member may recharge, each tier by the very rule that the order runs. It locks the member's value for a moment, so that it
 * needs a transaction that may write.
 */
export async function offerRecharge(
  tx: Transaction,
  holder: Holder,
  now_ms: number,
): Promise<{
  rule: RechargeRule | undefined;
  bar: RechargeBar | undefined;
  tiers: OfferedTier[];
  /** Principal above which an id number is asked for, where none is registered. */
  idCardAbove: number | undefined;
}> {
  const rule = await ruleNow(tx, holder);
  const member = await keepMember(tx, holder);
  let bar: RechargeBar | undefined;
  try {
    mustMayRecharge(member, now_ms);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    bar = { why: error.message, code: error.code };
  }
  const idCardAbove = member.has_id_card ? undefined : rule?.id_card_above_cents;
  if (!rule) return { rule, bar, tiers: [], idCardAbove };
  const gives = givesOn(rule, shanghaiDay(now_ms));
  const tiers: OfferedTier[] = [];
  const saidOf = await couponsSaid(
    tx,
    holder.service_provider_id,
    rule.tiers.flatMap(({ coupon_campaign_id }) => coupon_campaign_id ?? []),
  );
  const coupons = await couponsOf(tx, holder, rule.tiers, now_ms);
  for (const { amount_cents, gift_cents, points } of rule.tiers) {
    const shown = {
      amount_cents,
      gift_cents: gives ? gift_cents : 0,
      points: gives ? points : 0,
      coupons: gives ? saidOf(coupons.get(amount_cents)) : "",
    };
    if (bar) tiers.push({ ...shown, why: undefined });
    else
      tiers.push(
        await inSavepoint(tx, () => planRecharge(tx, member, { amount_cents, now_ms })).then(
          (plan) => ({ amount_cents, gift_cents: plan.gift_cents, points: plan.points, coupons: saidOf(plan.coupon), why: undefined }),
          (error: unknown) => {
            if (!(error instanceof Refusal)) throw error;
            return { ...shown, why: error.message };
          },
        ),
      );
  }
  return { rule, bar, tiers, idCardAbove };
}

/** How a merchant's stored value is told in one sentence; nothing where it has no rule. */
export async function sayStored(tx: Transaction, holder: Omit<Holder, "member_id">): Promise<string | undefined> {
  const rule = await ruleNow(tx, holder);
  return rule && "储值不过期；7 天内没用过，本金全退，用过的按规则扣除后退；赠送不退、不折现。";
}
