import { proportion, yuan } from "@zhangfang/contract/money.ts";
import { addDays } from "@zhangfang/contract/time.ts";

/** What comes with a recharge. */
export interface Tier {
  readonly amount_cents: number;
  readonly gift_cents: number;
  readonly points: number;
  readonly most: number | null;
  /** Missing in rules from before. */
  readonly coupon_campaign_id?: string | null;
  readonly coupon_count?: number;
}
/**
 * The best tier that an amount reaches, once: whoever pays in twice its amount gets it once all the same.
 * @param taken how often the member took the tier of an amount
 */
export const tierFor = (tiers: readonly Tier[], amount_cents: number, taken: (tier: Tier) => number): Tier | undefined =>
  tiers
    .filter((tier) => tier.amount_cents <= amount_cents && (tier.most === null || taken(tier) < tier.most))
    .toSorted((a, b) => b.amount_cents - a.amount_cents)[0];

/** What a member would hold after a recharge, and what a rule lets them. */
export interface RechargeAsk {
  readonly amount_cents: number;
  readonly gift_cents: number;
  /** What is held now, what is set aside counted, and what open recharges would bring. */
  readonly held_cents: number;
  readonly held_principal_cents: number;
  readonly most_cents: number;
  readonly id_card_above_cents: number;
  readonly has_id_card: boolean;
}
/** Why a recharge cannot be, by the field where it is said. */
export function whyNotRecharge(ask: RechargeAsk): string | undefined {
  const { amount_cents, gift_cents, held_cents, most_cents } = ask;
  if (amount_cents > most_cents) return `一次最多充值 ${yuan(most_cents)} 元`;
  if (held_cents + amount_cents + gift_cents > most_cents)
    return `每人储值最多 ${yuan(most_cents)} 元，现有和待付 ${yuan(held_cents)} 元，还可充 ${yuan(Math.max(0, most_cents - held_cents - gift_cents))} 元`;
  if (!ask.has_id_card && ask.held_principal_cents + amount_cents > ask.id_card_above_cents)
    return `储值超过 ${yuan(ask.id_card_above_cents)} 元，请先登记会员证件号`;
  return undefined;
}

/** A lot that is to be paid back. */
export interface RefundedLot {
  /** What was paid for and given, less what was corrected since. */
  readonly principal_cents: number;
  readonly gift_cents: number;
  /** What orders used of both, refunds off, and what went to other members. */
  readonly used_cents: number;
  readonly moved_cents: number;
  /** What earlier card refunds of it paid. */
  readonly paid_before_cents: number;
  readonly bought_on: string;
  /** Sold here to this member, moved from another, or brought along from another system. */
  readonly came: "sold" | "moved" | "brought";
  /** The member had used the same here before it was bought. */
  readonly had_before: boolean;
  readonly wish_pays: "less-used" | "as-merchant";
}
/** A lot, or a part of one that went to another member. */
export interface MovedPart {
  /** As it was sold or came. */
  readonly principal_cents: number;
  readonly gift_cents: number;
  /** What 改余额 took of it since. */
  readonly corrected_principal_cents: number;
  readonly corrected_gift_cents: number;
  /** What went of the same lot before it. */
  readonly moved_before_cents: number;
}
/**
 * What of a moved lot counts as paid for and as given: its part of both as they were sold, whatever the mode drew when it moved. The parts
 * of a lot add up to the cent.
 * @param parts the lot that was sold, and each that came of the one before
 */
export function shareOf([sold, ...parts]: readonly MovedPart[]): Pick<RefundedLot, "principal_cents" | "gift_cents"> {
  const less = (part: MovedPart, principal: number) => {
    const whole = part.principal_cents + part.gift_cents - part.corrected_principal_cents - part.corrected_gift_cents;
    const principal_cents = Math.min(Math.max(0, principal - part.corrected_principal_cents), whole);
    return { principal_cents, gift_cents: whole - principal_cents };
  };
  if (!sold) throw new Error("a lot that came of none");
  return parts.reduce(
    ({ principal_cents, gift_cents }, part) => {
      const upTo = (cents: number) => proportion(principal_cents, cents, principal_cents + gift_cents);
      const before = part.moved_before_cents;
      return less(part, upTo(before + part.principal_cents + part.gift_cents) - upTo(before));
    },
    less(sold, sold.principal_cents),
  );
}
export interface LegalSum {
  readonly reason: 1 | 2 | 3;
  readonly pays_cents: number;
  readonly less_cents: number;
  readonly less: string;
  readonly refusal: string | undefined;
  readonly grantable: boolean;
  readonly due_on: string;
}
/** Who did not buy it here has no seven days. */
const NOT_BOUGHT = { moved: "是别人转来的余额", brought: "是导入的余额" } as const;
const DUE_DAYS = { 1: 5, 2: 15, 3: 15 } as const;
/** The last day on which a recharge goes back for no reason at all. */
export const seventhDay = (bought_on: string): string => addDays(bought_on, 7);

/** What each of the three legal reasons pays back of a lot (法释〔2025〕4号, Art. 14, 18, 19–20). */
export function legalSums(lot: RefundedLot, today: string): readonly [LegalSum, LegalSum, LegalSum] {
  const { principal_cents: principal, gift_cents: gift, used_cents: used, paid_before_cents: before } = lot;
  const sum = (reason: 1 | 2 | 3, less_cents: number, less: string, refusal?: string, grantable = false): LegalSum => ({
    reason,
    less_cents,
    less,
    pays_cents: Math.max(0, principal - less_cents - before),
    refusal,
    grantable,
    due_on: addDays(today, DUE_DAYS[reason]),
  });
  const last = seventhDay(lot.bought_on);
  const first = (): [string, boolean] | undefined => {
    if (lot.moved_cents > 0) return [`已转给别人 ${yuan(lot.moved_cents)} 元`, false];
    if (used > 0) return [`已消费 ${yuan(used)} 元`, false];
    if (before > 0) return ["这一批已退过卡", false];
    if (lot.came !== "sold") return [NOT_BOUGHT[lot.came], false];
    if (today > last) return [`第 7 天是 ${last.slice(5)}，已过`, false];
    return lot.had_before ? ["充值前已在本商户消费过", true] : undefined;
  };
  const [refusal, grantable] = first() ?? [];
  const drawn = principal + gift > 0 ? proportion(principal, used, principal + gift) : 0;
  const spent = lot.moved_cents > 0 ? `消费和转出 ${yuan(used)}` : `消费 ${yuan(used)}`;
  const asMerchant = sum(2, drawn, `${spent} 里的本金`);
  return [
    sum(1, 0, "没用过，全退", refusal, grantable),
    asMerchant,
    lot.wish_pays === "as-merchant"
      ? { ...asMerchant, reason: 3 }
      : sum(3, Math.min(principal, used), lot.moved_cents > 0 ? "消费和转出，赠送也算" : "消费，赠送也算"),
  ];
}
