import { proportion, splitCents } from "@zhangfang/contract/money.ts";
import { type Line, type Part, type Priced, sum } from "./facts.ts";
import { unitsOf } from "./offer-rules.ts";

/** What goes back: units of lines, or an amount of value. */
export type Ask = { readonly units: Readonly<Record<number, number>> } | { readonly cents: number };

/** How a refund's value is cut. */
export interface Tenders {
  readonly money_cents: number;
  readonly principal_cents: number;
  readonly gift_cents: number;
}

/** What of an order is back or on its way so far; what failed or was turned down does not count. */
export interface Given {
  /** Money and stored value together. */
  readonly value_cents: number;
  /** What of it was asked for as an amount, not by units. */
  readonly amount_cents: number;
  readonly money_cents: number;
  readonly principal_cents: number;
  readonly gift_cents: number;
  /** Points that were spent, by the part's ref. */
  readonly points: Readonly<Record<string, number>>;
  /** By place of the line. */
  readonly units: Readonly<Record<number, number>>;
  /** What of the provider's part is claimed back, by the part's ref. */
  readonly provider: Readonly<Record<string, number>>;
}
export const NOTHING_GIVEN: Given = {
  value_cents: 0,
  amount_cents: 0,
  money_cents: 0,
  principal_cents: 0,
  gift_cents: 0,
  points: {},
  units: {},
  provider: {},
};
/** The same of one refund alone, and whether nothing is left after it: then coupons go back too. */
export interface Back extends Given {
  readonly whole: boolean;
}

/** What an order was paid with, as its parts stand in the database. */
export type Paid = Pick<Priced, "parts" | "nets" | "value_cents" | "money_cents" | "principal_cents" | "gift_cents">;

/**
 * How a refund of some units, or of an amount, is cut: money, principal and gift by what is left of each, points and the
 * provider's parts by what they took off of what has gone back so far; the last refund takes whatever is left of all. Pure.
 * @param nothing whether a refund of no value is one: vouchers alone go back with it
 * @param same how it was cut when it was sent before: the channel knows its money, so it is cut so again or not at all
 * @returns undefined where it asks for more than is left
 */
export function back(lines: readonly Line[], paid: Paid, before: Given, ask: Ask, same?: Tenders, nothing = false): Back | undefined {
  const left = paid.value_cents - before.value_cents;
  const asked = "units" in ask ? ask.units : {};
  if (lines.some(({ place, units }) => !fits(asked[place] ?? 0, units - (before.units[place] ?? 0)))) return undefined;
  const value_cents = same
    ? same.money_cents + same.principal_cents + same.gift_cents
    : "cents" in ask
      ? ask.cents
      : Math.min(left, sum(lines.map((line, at) => unitsBack(line, paid.nets[at] ?? 0, before, asked))));
  if (value_cents > left || value_cents < 0 || (value_cents === 0 && paid.value_cents > 0 && !nothing)) return undefined;
  const whole = value_cents === left;
  const rest = [
    paid.money_cents - before.money_cents,
    paid.principal_cents - before.principal_cents,
    paid.gift_cents - before.gift_cents,
  ] as const;
  const cut = same ? [same.money_cents, same.principal_cents, same.gift_cents] : splitCents(value_cents, rest);
  if (rest.some((cents, at) => cents < (cut[at] ?? 0))) return undefined;
  const [money_cents = 0, principal_cents = 0, gift_cents = 0] = cut;
  const amount_cents = "cents" in ask ? value_cents : 0;
  const after = { units: plus(before.units, asked), amount_cents: before.amount_cents + amount_cents };
  return {
    whole,
    value_cents,
    amount_cents,
    money_cents,
    principal_cents,
    gift_cents,
    units: asked,
    points: restOf(
      paid,
      ({ points }) => points,
      before.points,
      (part) => (whole ? part.points : Number((BigInt(part.points) * BigInt(offBack(lines, paid, part, after))) / BigInt(part.off_cents))),
    ),
    provider: restOf(
      paid,
      ({ provider_cents }) => provider_cents,
      before.provider,
      (part) => (whole ? part.provider_cents : proportion(part.provider_cents, offBack(lines, paid, part, after), part.off_cents)),
    ),
  };
}

const fits = (units: number, left: number): boolean => Number.isSafeInteger(units) && units >= 0 && units <= left;
const plus = (a: Readonly<Record<number, number>>, b: Readonly<Record<number, number>>): Record<number, number> => {
  const all: Record<number, number> = { ...a };
  for (const [place, units] of Object.entries(b)) all[Number(place)] = (all[Number(place)] ?? 0) + units;
  return all;
};

/** What the next units of a line come to; the earlier ones are gone. */
function unitsBack({ place, units }: Line, net: number, before: Given, asked: Readonly<Record<number, number>>): number {
  const from = before.units[place] ?? 0;
  return sum(unitsOf(net, units).slice(from, from + (asked[place] ?? 0)));
}

/** What of a part's off has gone back with everything so far: its cents of the units, and its portion of the amounts. */
function offBack(lines: readonly Line[], paid: Paid, part: Part, after: Pick<Given, "units" | "amount_cents">): number {
  const byUnits = lines.map(({ place, units }, at) => sum(unitsOf(part.lines[at] ?? 0, units).slice(0, after.units[place] ?? 0)));
  return Math.min(part.off_cents, sum(byUnits) + proportion(part.off_cents, after.amount_cents, paid.value_cents));
}

/**
 * Of each part what its cents so far make of it, less what is back already; the last refund takes the rest. Where an earlier refund took
 * the rest and another failed since, more may be back than that: then nothing.
 */
function restOf(
  paid: Paid,
  of: (part: Part) => number,
  before: Readonly<Record<string, number>>,
  so_far: (part: Part) => number,
): Record<string, number> {
  return Object.fromEntries(
    paid.parts.filter((part) => of(part) > 0).map((part) => [part.ref, Math.max(0, so_far(part) - (before[part.ref] ?? 0))]),
  );
}
