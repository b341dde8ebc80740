import { createHmac } from "node:crypto";
import { RATE_ONE } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Offer } from "../../../pricing/server/index.ts";
import { isOpen } from "../../../coupons/server/index.ts";
import type { DiscountKind, DiscountTerms } from "../../contract/index.ts";

/** A rule as a price looks at it. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly kind: DiscountKind;
  readonly terms: DiscountTerms;
  readonly group: string;
  readonly priority: number;
  readonly once: boolean;
  /** Null: no limit. */
  readonly left_cents: number | null;
}
/** Who the price is for; nobody where that is not known. */
export interface Face {
  /** They paid an order here before. */
  readonly ordered: boolean;
  readonly rank: number;
  /** The rules of which they have had their one time. */
  readonly had: readonly string[];
}

/** Whether a rule holds at a store at a moment. A window over midnight belongs to the weekday on which it begins. */
export function holdsAt({ firstDay, lastDay, monthDays, storeIds, ...hours }: DiscountTerms, store_id: string, at: string): boolean {
  const today = shanghaiDay(at);
  if ((firstDay !== null && today < firstDay) || (lastDay !== null && today > lastDay)) return false;
  if (monthDays.length > 0 && !monthDays.includes(Number(today.slice(8)))) return false;
  if (storeIds.length > 0 && !storeIds.includes(store_id)) return false;
  return isOpen({ weekdays: hours.weekdays, windows: hours.windows, excluded: [] }, at);
}
/** Whether a rule is for somebody. */
export function isFor({ id, kind, terms, once }: Rule, face: Face | undefined): boolean {
  const forMembers = terms.membersOnly || terms.levels.length > 0 || once || kind === 1 || kind === 3;
  if (!face) return !forMembers;
  if (kind === 1 && face.ordered) return false;
  return !face.had.includes(id) && (terms.levels.length === 0 || terms.levels.includes(face.rank));
}
/**
 * 随机立减: a whole ten cents between both ends, drawn by a key from the rule and what the price is for: the same question has the same
 * answer, and nobody tries again until they like it.
 */
export function randomOff(key: Buffer, rule_id: string, what: string, { lowCents, highCents }: DiscountTerms): number {
  const [low, high] = [lowCents ?? 0, highCents ?? 0];
  const draw = createHmac("sha256", key).update(`${rule_id}:${what}`).digest().readUInt32BE(0);
  const off = low + (draw % (high - low + 1));
  return Math.max(low, off - (off % 10));
}
function ruleOf({ kind, terms }: Rule, random_cents: number): Offer["rule"] {
  const { offCents, everyCents, percent } = terms;
  if (kind === 2) return { kind: "each", every_cents: everyCents ?? 1, off_cents: offCents ?? 0 };
  if (kind === 4) return { kind: "off", off_cents: random_cents };
  if (kind === 3 && percent !== null) return { kind: "rate", rate: RATE_ONE - percent * (RATE_ONE / 100) };
  return { kind: "off", off_cents: offCents ?? 0 };
}
/** A rule as an offer; never more than its budget has left. */
export function offerOf(rule: Rule, random_cents: number): Offer {
  const { id, name, terms, group, priority, left_cents } = rule;
  const caps = [terms.capCents, left_cents].filter((one) => one !== null);
  return {
    source: "auto",
    ref: id,
    name,
    ...(group !== "" && { group }),
    priority,
    min_cents: terms.minCents,
    rule: ruleOf(rule, random_cents),
    ...(caps.length > 0 && { cap_cents: Math.min(...caps) }),
    provider_rate: 0,
    without: terms.without,
  };
}
