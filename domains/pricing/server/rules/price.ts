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

/** What the steps of a way came to so far. Ways of the same facts that begin alike have it in common. */
interface State {
  readonly parts: readonly Part[];
  /** What each line comes to now, before tenders. */
  readonly nets: readonly number[];
  /** Lines that an item coupon has. */
  readonly taken: ReadonlySet<number>;
  readonly next: Map<string, Step>;
}
interface Step {
  readonly state: State;
  readonly refused: readonly (readonly [ref: string, why: No])[];
}
/** What pricing the same facts in many ways reckons once. */
interface Shared {
  /** In the order in which they are tried. */
  readonly offers: readonly Offer[];
  /** Whether any of them stands alone. */
  readonly excluding: boolean;
  /** By what is wished of points and stored value. */
  readonly starts: Map<string, State>;
}
export const sharedOf = ({ offers }: Facts): Shared => ({
  offers: offers.toSorted(inOrder),
  excluding: offers.some(({ without }) => without.length > 0),
  starts: new Map(),
});

/**
 * The price of an order: what comes off by which offer, in the order of the steps, cut to lines, and what is left to pay.
 * Pure: no clock, no chance, nothing asked; the same facts and wish give the same price for ever, whatever the order of the offers.
 * @param facts lines and everything that might come off
 * @param wish what was chosen of it
 * @param shared of the same facts, where they are priced in many ways
 */
export function price(facts: Facts, wish: Wish = NO_WISH, shared: Shared = sharedOf(facts)): Priced {
  const out = new Map<string, No>();
  // What takes off nothing is not used, and stands in nobody's way: without it the price is reckoned anew.
  for (;;) {
    const walked = walk(facts, wish, out, shared);
    const idle = walked.chosen.filter(({ ref }) => !walked.parts.some((part) => part.ref === ref));
    if (idle.length === 0) return close(facts, walked);
    for (const { ref } of idle) out.set(ref, walked.no.get(ref) ?? { code: "nothing" });
  }
}

interface Walk extends Pick<State, "parts" | "nets"> {
  readonly chosen: readonly Offer[];
  readonly no: Map<string, No>;
}

function walk(facts: Facts, wish: Wish, out: ReadonlyMap<string, No>, shared: Shared): Walk {
  const no = new Map<string, No>(out);
  const chosen = choose(facts, wish, shared, no);
  const start = `${wish.points} ${wish.stored_cents}`;
  let state = shared.starts.get(start) ?? { parts: [], nets: facts.lines.map(grossOf), taken: new Set(), next: new Map() };
  shared.starts.set(start, state);
  for (const offers of inTurn(shared, wish, chosen)) {
    const barred = offers.map((offer) => shared.excluding && isInTheWay(shared, chosen, state, offer));
    const key = offers.map(({ ref }, at) => `${barred[at] ? "-" : "+"}${ref}`).join(" ");
    const step = state.next.get(key) ?? stepOf(facts, wish, state, offers, barred);
    state.next.set(key, step);
    for (const [ref, why] of step.refused) no.set(ref, why);
    ({ state } = step);
  }
  return { parts: state.parts, nets: state.nets, chosen, no };
}
/** What one offer, or one of a group, takes off of what is left. */
function stepOf({ lines }: Facts, wish: Wish, state: State, offers: readonly Offer[], barred: readonly boolean[]): Step {
  const found = offers.map((offer, at): { offer: Offer; off: Off | No } => ({
    offer,
    off: barred[at] ? { code: "excluded" } : reckon(offer, lines, state.nets, state.taken, wish),
  }));
  const best = found.find(({ off }) => "lines" in off);
  const first = best && mostOf(found, best.offer.priority);
  const refused = found
    .filter(({ offer }) => offer !== first?.offer)
    .map(({ offer, off }): Step["refused"][number] => [offer.ref, "lines" in off ? { code: "group" } : off]);
  return { state: first ? applied(state, first.offer, first.off, lines) : { ...state, next: new Map() }, refused };
}

/** Of one group the offers of that priority: who takes off most, then by name. */
function mostOf(found: readonly { offer: Offer; off: Off | No }[], priority: number): { offer: Offer; off: Off } | undefined {
  return found
    .flatMap(({ offer, off }) => ("lines" in off && offer.priority === priority ? [{ offer, off }] : []))
    .toSorted((a, b) => sum(b.off.lines) - sum(a.off.lines) || byText(a.offer.ref, b.offer.ref))[0];
}

function applied({ parts, nets, taken }: State, offer: Offer, { lines: off, points, gift_cents }: Off, lines: Facts["lines"]): State {
  const off_cents = sum(off);
  const provider_cents = share(off_cents, offer.provider_rate);
  const { source, ref, name } = offer;
  const merchant_cents = off_cents - provider_cents;
  const part = { source, ref, name, step: STEP[source], off_cents, provider_cents, merchant_cents, points, gift_cents, lines: off };
  const isItem = source === "coupon" && offer.places !== undefined;
  return {
    parts: [...parts, part],
    nets: source === "stored" ? nets : nets.map((net, at) => net - (off[at] ?? 0)),
    taken: isItem ? new Set([...taken, ...lines.flatMap(({ place }, at) => ((off[at] ?? 0) > 0 ? [place] : []))]) : taken,
    next: new Map(),
  };
}

/** Which chosen offers are tried: those that fit each other, the earlier step before the later one, and no more than may be used. */
function choose(facts: Facts, wish: Wish, { offers }: Shared, no: Map<string, No>): Offer[] {
  const kept: Offer[] = [];
  for (const offer of offers.filter(({ ref }) => wish.chosen.includes(ref))) {
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
function isInTheWay({ offers }: Shared, chosen: readonly Offer[], { parts }: State, offer: Offer): boolean {
  if (chosen.includes(offer)) return false;
  return offers.some((other) => excludes(offer, other) && (chosen.includes(other) || parts.some(({ ref }) => ref === other.ref)));
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
function inTurn({ offers }: Shared, wish: Wish, chosen: readonly Offer[]): Offer[][] {
  const bySelf = (offer: Offer) =>
    ((offer.source === "member" || offer.source === "auto") && !wish.leave.includes(offer.source)) ||
    (offer.source === "points" && wish.points > 0) ||
    (offer.source === "stored" && wish.stored_cents > 0);
  const groups = new Map<string, Offer[]>();
  for (const offer of offers.filter((one) => chosen.includes(one) || bySelf(one))) {
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
