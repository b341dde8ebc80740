import { share } from "@zhangfang/contract/money.ts";
import type { PriceSource } from "../../contract.ts";
import { type Facts, grossOf, NO_WISH, type Offer, type Part, type Priced, sum, type Why, type Wish } from "./facts.ts";
import { type No, type Off, reckon } from "./offer-rules.ts";

/** The step of each source: each sees what the steps before it left (marketing.md 5). */
export const STEP: Readonly<Record<PriceSource, number>> = {
  voucher: 0,
  member: 1,
  auto: 2,
  coupon: 3,
  manual: 4,
  till: 4,
  points: 5,
  stored: 6,
  channel: 8,
  short: 9,
};
const MOST_WHOLE = 1;
const MOST_ITEM = 2;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The price of an order: what comes off by which offer, in the order of the steps, cut to lines, and what is left to pay.
 * Pure: no clock, no chance, nothing asked; the same facts and wish give the same price for ever, whatever the order of the offers.
 * @param facts lines and everything that might come off
 * @param wish what was chosen of it
 */
export function price(facts: Facts, wish: Wish = NO_WISH): Priced {
  const out = new Map<string, No>();
  // What takes off nothing is not used, and stands in nobody's way: without it the price is reckoned anew.
  for (;;) {
    const walked = walk(facts, wish, out);
    const idle = walked.chosen.filter(({ ref }) => !walked.parts.some((part) => part.ref === ref));
    if (idle.length === 0) return close(facts, walked);
    for (const { ref } of idle) out.set(ref, walked.no.get(ref) ?? { code: "nothing" });
  }
}

interface Walk {
  readonly facts: Facts;
  readonly wish: Wish;
  readonly chosen: readonly Offer[];
  readonly parts: Part[];
  /** What each line comes to now, before tenders. */
  readonly nets: number[];
  readonly no: Map<string, No>;
  /** Lines that an item coupon has. */
  readonly taken: Set<number>;
}

function walk(facts: Facts, wish: Wish, out: ReadonlyMap<string, No>): Walk {
  const no = new Map<string, No>(out);
  const chosen = choose(facts, wish, no);
  const walking: Walk = { facts, wish, chosen, parts: [], nets: facts.lines.map(grossOf), no, taken: new Set() };
  for (const offers of inTurn(facts, wish, chosen)) {
    const found = offers.map((offer) => ({
      offer,
      off: inTheWay(walking, offer) ?? reckon(offer, facts.lines, walking.nets, walking.taken, wish),
    }));
    const best = found.find(({ off }) => "lines" in off);
    const first = best && mostOf(found, best.offer.priority);
    for (const { offer, off } of found) {
      if (offer === first?.offer) apply(walking, offer, first.off);
      else no.set(offer.ref, "lines" in off ? { code: "group" } : off);
    }
  }
  return walking;
}

/** Of one group the offers of that priority: who takes off most, then by name. */
function mostOf(found: readonly { offer: Offer; off: Off | No }[], priority: number): { offer: Offer; off: Off } | undefined {
  return found
    .flatMap(({ offer, off }) => ("lines" in off && offer.priority === priority ? [{ offer, off }] : []))
    .toSorted((a, b) => sum(b.off.lines) - sum(a.off.lines) || byText(a.offer.ref, b.offer.ref))[0];
}

function apply({ parts, nets, taken, facts }: Walk, offer: Offer, { lines, points, gift_cents }: Off): void {
  const off_cents = sum(lines);
  const provider_cents = share(off_cents, offer.provider_rate);
  const { source, ref, name } = offer;
  parts.push({
    source,
    ref,
    name,
    step: STEP[source],
    off_cents,
    provider_cents,
    merchant_cents: off_cents - provider_cents,
    points,
    gift_cents,
    lines,
  });
  lines.forEach((cents, at) => {
    if (source !== "stored") nets[at] = (nets[at] ?? 0) - cents;
    if (cents > 0 && source === "coupon" && offer.places) taken.add(facts.lines[at]?.place ?? 0);
  });
}

/** Which chosen offers are tried: those that fit each other, the earlier step before the later one, and no more than may be used. */
function choose(facts: Facts, wish: Wish, no: Map<string, No>): Offer[] {
  const kept: Offer[] = [];
  for (const offer of facts.offers.filter(({ ref }) => wish.chosen.includes(ref)).toSorted(inOrder)) {
    if (no.has(offer.ref)) continue;
    const alike = kept.filter(({ source, places }) => source === "coupon" && Boolean(places) === Boolean(offer.places)).length;
    const most = offer.places ? (facts.most?.item ?? MOST_ITEM) : (facts.most?.whole ?? MOST_WHOLE);
    if (offer.source === "coupon" && alike >= most) no.set(offer.ref, { code: "count" });
    else if (kept.some((other) => excludes(offer, other))) no.set(offer.ref, { code: "excluded" });
    else kept.push(offer);
  }
  return kept;
}

const excludes = (a: Offer, b: Offer): boolean => a.without.includes(b.source) || b.without.includes(a.source);
/** What applies by itself gives way to what was chosen, and to what stands already. */
function inTheWay({ facts, chosen, parts }: Walk, offer: Offer): No | undefined {
  if (chosen.includes(offer)) return undefined;
  const standing = facts.offers.filter((other) => chosen.includes(other) || parts.some(({ ref }) => ref === other.ref));
  return standing.some((other) => excludes(offer, other)) ? { code: "excluded" } : undefined;
}

/** What would apply by itself and was left out because another way is cheaper (最省); or why it would not have applied at the list price. Pure. */
export function leftOut({ lines, offers }: Facts, wish: Wish): Why[] {
  const nets = lines.map(grossOf);
  return offers
    .filter(({ source, ref }) => wish.leave.includes(source) && !wish.chosen.includes(ref))
    .map((offer): Why => {
      const { source, ref, name } = offer;
      const off = reckon(offer, lines, nets, new Set(), wish);
      return { source, ref, name, ...("lines" in off ? { code: "left" } : off) };
    })
    .toSorted((a, b) => byText(a.ref, b.ref));
}

/** Coupons of kinds 3, 4, 5, then 1 and 2. */
function kindOf({ source, places, rule }: Offer): number {
  if (source !== "coupon") return 0;
  return places ? ["off", "units", "exchange"].indexOf(rule.kind) : 3 + ["off", "rate"].indexOf(rule.kind);
}
const inOrder = (a: Offer, b: Offer): number =>
  STEP[a.source] - STEP[b.source] || kindOf(a) - kindOf(b) || b.priority - a.priority || byText(a.ref, b.ref);

/** The offers to try one after another; those of a group together, of which one stands. */
function inTurn({ offers }: Facts, wish: Wish, chosen: readonly Offer[]): Offer[][] {
  const bySelf = (offer: Offer) =>
    ((offer.source === "member" || offer.source === "auto") && !wish.leave.includes(offer.source)) ||
    (offer.source === "points" && wish.points > 0) ||
    (offer.source === "stored" && wish.stored_cents > 0);
  const groups = new Map<string, Offer[]>();
  for (const offer of offers.filter((one) => chosen.includes(one) || bySelf(one)).toSorted(inOrder)) {
    const key = offer.group === undefined ? `ref ${offer.ref}` : `group ${offer.group}`;
    groups.set(key, [...(groups.get(key) ?? []), offer]);
  }
  return [...groups.values()];
}

function close({ lines, offers }: Facts, { parts, nets, no }: Walk): Priced {
  const stored = parts.filter(({ source }) => source === "stored");
  const value_cents = sum(nets);
  const stored_cents = sum(stored.map(({ off_cents }) => off_cents));
  const gift_cents = sum(stored.map((part) => part.gift_cents));
  const refused = [...no].map(([ref, why]): Why => {
    const offer = offers.find((one) => one.ref === ref) as Offer;
    return { source: offer.source, ref, name: offer.name, ...why };
  });
  return {
    gross_cents: sum(lines.map(grossOf)),
    parts,
    nets,
    value_cents,
    money_cents: value_cents - stored_cents,
    principal_cents: stored_cents - gift_cents,
    gift_cents,
    refused: refused.toSorted((a, b) => byText(a.ref, b.ref)),
  };
}
