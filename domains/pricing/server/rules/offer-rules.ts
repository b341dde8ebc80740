import { share, splitCents } from "@zhangfang/contract/money.ts";
import { drawLots } from "../../../value-book/server/index.ts";
import type { PriceRefusal } from "../../contract.ts";
import { type Line, type Offer, type Rule, sum, type Wish } from "./facts.ts";

/** What an offer would take off of lines that come to `nets` now. */
export interface Off {
  readonly lines: readonly number[];
  readonly points: number;
  readonly gift_cents: number;
}
export interface No {
  readonly code: PriceRefusal;
  readonly need_cents?: number;
  readonly short_cents?: number;
}

const TENDERS = new Set(["points", "stored"]);
/** Sources that look at goods without discount too: somebody decided on them, or they are paid with. */
const LOOKS_AT_ALL = new Set(["voucher", "manual", "points", "stored"]);

/** Whether a line may carry a part of the offer at all. */
export function covers(offer: Offer, line: Line): boolean {
  if (line.freight && !TENDERS.has(offer.source)) return false;
  if (line.no_discount && !LOOKS_AT_ALL.has(offer.source) && offer.rule.kind !== "member") return false;
  return offer.places === undefined || offer.places.includes(line.place);
}

/**
 * What one offer takes off of what is left, cut over its lines; or why it takes nothing. Threshold and percentage count on
 * what the steps before left, never on the list price. Pure.
 * @param nets what each line comes to now, in cents; a line that may carry nothing of it is 0 in the answer
 * @param taken lines that another item coupon has
 */
export function reckon(offer: Offer, lines: readonly Line[], nets: readonly number[], taken: ReadonlySet<number>, wish: Wish): Off | No {
  const isItem = offer.source === "coupon" && offer.places !== undefined;
  const base = nets.map((net, at) => {
    const line = lines[at] as Line;
    return covers(offer, line) && !(isItem && taken.has(line.place)) ? net : 0;
  });
  const total = sum(base);
  const { rule } = offer;
  if (rule.kind === "exchange") return exchange(offer, rule, lines, nets, base);
  if (total < offer.min_cents) return { code: "below", need_cents: offer.min_cents, short_cents: offer.min_cents - total };
  if (total === 0) return { code: isItem && taken.size > 0 ? "line" : "nothing" };
  if (rule.kind === "goods") return worth(base.map((net, at) => Math.min(net, (lines[at] as Line).unit_cents)));
  if (rule.kind === "member") return worth(member(rule, lines, base));
  if (rule.kind === "units") return units(offer, rule, lines, base);
  if (rule.kind === "points") return points(offer, rule, base, wish);
  if (rule.kind === "stored") return stored(rule, base, wish);
  const off_cents =
    rule.kind === "off"
      ? rule.off_cents
      : rule.kind === "rate"
        ? share(total, rule.rate)
        : Math.floor(total / rule.every_cents) * rule.off_cents;
  return worth(splitCents(capped(offer, off_cents, total), base));
}

const capped = (offer: Offer, off_cents: number, total: number): number => Math.min(off_cents, total, offer.cap_cents ?? total);
const worth = (lines: readonly number[]): Off | No => (sum(lines) === 0 ? { code: "nothing" } : { lines, points: 0, gift_cents: 0 });

/** 会员: what is cheapest by its own price goes by that; the level's discount is rounded once on the sum of all others. */
function member(rule: Extract<Rule, { kind: "member" }>, lines: readonly Line[], base: readonly number[]): number[] {
  const own = lines.map(({ place, units }, at) => {
    const price = rule.prices[place];
    return price === undefined ? 0 : Math.max(0, (base[at] ?? 0) - price * units);
  });
  const byLevel = lines.map(({ no_discount }, at) => {
    const net = base[at] ?? 0;
    return !no_discount && share(net, rule.rate) > (own[at] ?? 0) ? net : 0;
  });
  const cut = splitCents(share(sum(byLevel), rule.rate), byLevel);
  return own.map((cents, at) => (byLevel[at] ? (cut[at] ?? 0) : cents));
}

/** What each unit of a line comes to. @example unitsOf(5342, 3) // [1781, 1781, 1780] */
export const unitsOf = (net: number, units: number): number[] =>
  splitCents(
    net,
    Array.from({ length: units }, () => 1),
  );

/** The dearest units of the base, of equals the earlier line's. */
function dearest(lines: readonly Line[], base: readonly number[], most: number): { readonly at: number; readonly cents: number }[] {
  return lines
    .flatMap((line, at) => ((base[at] ?? 0) > 0 ? unitsOf(base[at] ?? 0, line.units) : []).slice(0, most).map((cents) => ({ at, cents })))
    .toSorted((a, b) => b.cents - a.cents || a.at - b.at)
    .slice(0, most);
}

function units(offer: Offer, rule: Extract<Rule, { kind: "units" }>, lines: readonly Line[], base: readonly number[]): Off | No {
  const chosen = dearest(lines, base, rule.most_units);
  const weights = base.map((_, at) => sum(chosen.filter((unit) => unit.at === at).map(({ cents }) => cents)));
  const total = sum(weights);
  return worth(splitCents(capped(offer, share(total, rule.rate), total), weights));
}

/** 换购: what the other goods come to counts, and one unit goes down to its price. */
function exchange(
  offer: Offer,
  rule: Extract<Rule, { kind: "exchange" }>,
  lines: readonly Line[],
  nets: readonly number[],
  base: readonly number[],
): Off | No {
  const [unit] = dearest(lines, base, 1);
  if (!unit) return { code: "nothing" };
  const others = sum(nets.filter((_, at) => !lines[at]?.freight && !lines[at]?.no_discount)) - unit.cents;
  if (others < offer.min_cents) return { code: "below", need_cents: offer.min_cents, short_cents: offer.min_cents - others };
  const off_cents = capped(offer, Math.max(0, unit.cents - rule.price_cents), unit.cents);
  return worth(base.map((_, at) => (at === unit.at ? off_cents : 0)));
}

function points(offer: Offer, rule: Extract<Rule, { kind: "points" }>, base: readonly number[], wish: Wish): Off | No {
  const most = Math.floor(Math.min(share(sum(base), rule.most_rate), offer.cap_cents ?? Number.MAX_SAFE_INTEGER) / rule.step_cents);
  const steps = Math.min(Math.floor(Math.min(wish.points, rule.balance) / rule.step_points), most);
  if (steps === 0) return { code: "nothing" };
  if (steps * rule.step_points < rule.least_points) return { code: "least" };
  return { lines: splitCents(steps * rule.step_cents, base), points: steps * rule.step_points, gift_cents: 0 };
}

function stored({ lots }: Extract<Rule, { kind: "stored" }>, base: readonly number[], wish: Wish): Off | No {
  const balance = sum(lots.map(({ principal_left_cents, gift_left_cents }) => principal_left_cents + gift_left_cents));
  const off_cents = Math.min(wish.stored_cents, balance, sum(base));
  const drawn = off_cents > 0 && drawLots(lots, off_cents);
  if (!drawn) return { code: "nothing" };
  return { lines: splitCents(off_cents, base), points: 0, gift_cents: sum(drawn.map(({ gift_cents }) => gift_cents)) };
}
