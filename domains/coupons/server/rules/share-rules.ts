/** What a campaign has and lets, as its stock row stands. */
export interface Stock {
  readonly total: number;
  readonly issued: number;
  readonly held: number;
  readonly per_day: number | null;
  /** Issued today. */
  readonly today: number;
  readonly per_person: number;
  readonly per_person_day: number | null;
}
/** Somebody who asks, in the order in which they came. */
export interface Asker {
  /** One human: who asks twice in one batch is counted twice. */
  readonly person: string;
  /** What they have had of this campaign, and of it today. */
  readonly had: number;
  readonly had_today: number;
  /** The highest place that this human has of it: two members of one phone count on from there, whatever each had under an earlier phone. */
  readonly top: number;
}
export type Share = { readonly nth: number } | { readonly why: "gone" | "day-gone" | "person" | "person-day" };

/**
 * Who of those that wait at the same moment gets one, in the order in which they came: as many as are left, of the whole and of the day,
 * and nobody more than a human may have (marketing.md 3). One who asks for the same campaign once more in the batch counts what the batch
 * already gave them.
 */
export function shareOut(stock: Stock, askers: readonly Asker[]): Share[] {
  let left = stock.total - stock.issued - stock.held;
  let left_today = stock.per_day === null ? Infinity : stock.per_day - stock.today;
  const given = new Map<string, number>();
  const places = new Map<string, number>();
  return askers.map(({ person, had, had_today, top }) => {
    const more = given.get(person) ?? 0;
    const place = Math.max(had + more, places.get(person) ?? top);
    if (place >= stock.per_person) return { why: "person" };
    if (stock.per_person_day !== null && had_today + more >= stock.per_person_day) return { why: "person-day" };
    if (left <= 0) return { why: "gone" };
    if (left_today <= 0) return { why: "day-gone" };
    left -= 1;
    left_today -= 1;
    given.set(person, more + 1);
    places.set(person, place + 1);
    return { nth: place + 1 };
  });
}
