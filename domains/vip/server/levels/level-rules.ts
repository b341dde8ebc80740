import { addDays, addMonths, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { LevelBasis, LevelCause } from "../../contract/index.ts";

/** For how long a level is kept, and what is counted for the next one. */
export const KEEP_MONTHS = 12;

export interface Level {
  readonly rank: number;
  readonly name: string;
  readonly basis: LevelBasis;
  readonly threshold: number | null;
  readonly price_cents: number | null;
  readonly months: number | null;
}
/** A moment that can move a level: a ladder that begins to hold, an order's base that is booked, or a part of it that goes back; two become one, or a sheet says where somebody stood. */
export type LevelFact =
  | { readonly at: string; readonly kind: "rules"; readonly version: number; readonly levels: readonly Level[] }
  | {
      readonly at: string;
      readonly kind: "merged";
      readonly rank: number;
      readonly keep_until: string | null;
      readonly cause?: "merge" | "import";
    }
  | { readonly at: string; readonly kind: "paid" | "back"; readonly order_id: string; readonly cents: number };

/** Where a member stands by what they spent. */
export interface Standing {
  readonly rank: number;
  /** The first day on which the level is not kept any more without being reached anew. */
  readonly keep_until: string | null;
  readonly growth: number;
  readonly spent_cents: number;
  /** What moved it last. */
  readonly cause: LevelCause;
  readonly order_id: string | null;
}
/** A level that something lifted to. */
interface Lift {
  readonly rank: number;
  readonly keep_until: string | null;
  readonly order_id: string | null;
}
const SORT = { rules: 0, paid: 1, back: 2, merged: 3 } as const;
const later = (a: string | null, b: string | null): string | null => (a === null || b === null ? null : a > b ? a : b);

/**
 * The level that a member has earned by a moment, from all that ever happened. Up at once when an order's base is booked; kept for 12
 * months, and then what the last 12 months reach; what goes back is taken at once, and undoes the lift of its own order alone, where
 * what is left would not have lifted as far. Pure: the same facts give the same level, in whatever order they are given.
 */
export function standingOf(facts: readonly LevelFact[], now: string): Standing {
  const spent = new Map<string, { readonly day: string; cents: number }>();
  let levels: readonly Level[] = [];
  let [floor, lifts]: [Lift, Lift[]] = [{ rank: 0, keep_until: null, order_id: null }, []];
  let last: Pick<Standing, "cause" | "order_id"> = { cause: "order", order_id: null };
  const highest = () => lifts.reduce((best, lift) => (lift.rank > best.rank ? lift : best), floor);
  const reached = (from: string, to: string) => reachedBy(levels, sumsOf([...spent.values()], from, to));
  const reachedOn = (day: string) => reached(addMonths(day, -KEEP_MONTHS), day);
  // What was kept long enough by then falls to what its last months reach.
  const fall = (moment: string) => {
    for (;;) {
      const { keep_until, rank } = highest();
      if (keep_until === null || dayStart(keep_until) > moment) return;
      // The day that lifted is not counted for the next period: what was done since is.
      const kept = Math.min(rank, reached(addMonths(keep_until, -KEEP_MONTHS), addDays(keep_until, -1)));
      floor = { rank: kept, keep_until: kept > 0 ? addMonths(keep_until, KEEP_MONTHS) : null, order_id: null };
      lifts = [];
      if (kept !== rank) last = { cause: "kept", order_id: null };
    }
  };
  const lift = (at: string, cause: LevelCause, order_id: string | null) => {
    const day = shanghaiDay(at);
    const rank = reachedOn(day);
    if (rank <= highest().rank) return;
    lifts = [...lifts, { rank, keep_until: addMonths(day, KEEP_MONTHS), order_id }];
    last = { cause, order_id };
  };
  const inTime = facts
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => (a.at === b.at ? SORT[a.kind] - SORT[b.kind] || (keyOf(a) < keyOf(b) ? -1 : 1) : a.at < b.at ? -1 : 1));
  for (const fact of inTime) {
    fall(fact.at);
    if (fact.kind === "rules") {
      levels = fact.levels;
      lift(fact.at, "rules", null);
    } else if (fact.kind === "paid") {
      spent.set(fact.order_id, { day: shanghaiDay(fact.at), cents: fact.cents });
      lift(fact.at, "order", fact.order_id);
    } else if (fact.kind === "merged") {
      // As high as either stood, for as long as either kept it.
      const { rank } = fact;
      const same = lifts.find((one) => one.rank === rank);
      if (floor.rank === rank) floor = { ...floor, keep_until: later(floor.keep_until, fact.keep_until) };
      else if (rank > floor.rank)
        lifts = [
          ...lifts.filter((one) => one !== same),
          { rank, keep_until: same ? later(same.keep_until, fact.keep_until) : fact.keep_until, order_id: same?.order_id ?? null },
        ];
      if (!same && highest().rank === rank) last = { cause: fact.cause ?? "merge", order_id: null };
    } else {
      const order = spent.get(fact.order_id);
      if (order) order.cents -= fact.cents;
      const before = highest().rank;
      const rest = reachedOn(shanghaiDay(fact.at));
      lifts = lifts.flatMap((one) => {
        if (one.order_id !== fact.order_id || rest >= one.rank) return [one];
        return rest > floor.rank ? [{ ...one, rank: rest }] : [];
      });
      if (highest().rank !== before) last = { cause: "refund", order_id: fact.order_id };
      fall(fact.at);
    }
  }
  fall(now);
  const { rank, keep_until } = highest();
  const today = shanghaiDay(now);
  return { rank, keep_until, ...sumsOf([...spent.values()], addMonths(today, -KEEP_MONTHS), today), ...last };
}
const keyOf = (fact: LevelFact): string => ("order_id" in fact ? fact.order_id : String("version" in fact ? fact.version : fact.rank));

interface Sums {
  readonly growth: number;
  readonly spent_cents: number;
}
/** Of the days after the one through the other: growth is 1 for each whole yuan of an order's base. */
function sumsOf(spent: readonly { readonly day: string; readonly cents: number }[], from: string, to: string): Sums {
  const counted = spent.filter(({ day }) => day > from && day <= to);
  return {
    growth: counted.reduce((sum, { cents }) => sum + Math.floor(cents / 100), 0),
    spent_cents: counted.reduce((sum, { cents }) => sum + cents, 0),
  };
}
const reachedBy = (levels: readonly Level[], { growth, spent_cents }: Sums): number =>
  levels.reduce((best, { rank, basis, threshold }) => {
    const has = basis === "growth" ? growth : basis === "spent" ? spent_cents : -1;
    return threshold !== null && has >= threshold ? Math.max(best, rank) : best;
  }, 0);

/** Days on which a bought level counts, both included: it ends at 24:00. */
export interface Span {
  readonly rank: number;
  readonly from: string;
  readonly to: string;
}
/** The level that counts on a day: the highest of what was bought and what was earned. */
export const rankOn = (earned: number, terms: readonly Span[], day: string): number =>
  terms.reduce((best, { rank, from, to }) => (from <= day && day <= to ? Math.max(best, rank) : best), earned);
/** The next day after `day` on which a level can change by the calendar alone. */
export function dueOn(keep_until: string | null, terms: readonly Span[], day: string): string | null {
  const days = [keep_until, ...terms.flatMap(({ from, to }) => [from, addDays(to, 1)])];
  return days.reduce<string | null>(
    (soonest, one) => (one !== null && one > day && (soonest === null || one < soonest) ? one : soonest),
    null,
  );
}

/** When a term that is paid on a day runs: where the last of its level is not over, behind it. @param lastDay of that one */
export function spanOf(paidDay: string, months: number, lastDay: string | null): { readonly from: string; readonly to: string } {
  if (lastDay === null || lastDay < paidDay) return { from: paidDay, to: addMonths(paidDay, months) };
  return { from: addDays(lastDay, 1), to: addMonths(lastDay, months) };
}

/** The birthday of a year; of Feb 29 the day before where the year has none. */
export function birthdayIn(year: number, birthday: string): string {
  const day = `${year}-${birthday.slice(5)}`;
  return birthday.endsWith("02-29") && new Date(Date.UTC(year, 1, 29)).getUTCMonth() !== 1 ? `${year}-02-28` : day;
}
