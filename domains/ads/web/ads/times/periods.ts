import type { Periods } from "../../../contract/index.ts";

/** With one more stretch; what touches becomes one. */
export function withPeriod(periods: Periods, [from, to]: readonly [number, number]): [number, number][] {
  const sorted = [...periods, [from, to] as const].toSorted((a, b) => a[0] - b[0]);
  const joined: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}
/** Without a stretch; what it cuts through is two. */
export const withoutPeriod = (periods: Periods, [from, to]: readonly [number, number]): [number, number][] =>
  periods
    .flatMap(([start, end]): [number, number][] => [
      [start, Math.min(end, from)],
      [Math.max(start, to), end],
    ])
    .filter(([start, end]) => start < end);
/** How many minutes of an hour are in them. */
export const minutesIn = (periods: Periods, hour: number): number =>
  periods.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, (hour + 1) * 60) - Math.max(from, hour * 60)), 0);

/** The minute of the day that somebody wrote, NaN for anything else. */
export function minuteOfClock(text: string): number {
  const parts = /^(\d{1,2})[:：](\d{2})$/.exec(text.trim());
  const minute = parts ? Number(parts[1]) * 60 + Number(parts[2]) : Number.NaN;
  return Number(parts?.[2]) < 60 && minute <= 1_440 ? minute : Number.NaN;
}
