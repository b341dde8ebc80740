import { addDays, addMonths } from "@zhangfang/contract/time.ts";
import { type PointRule, TOLD_DAYS } from "../../contract/index.ts";

const pad = (n: number): string => String(n).padStart(2, "0");
const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** MM-DD in a year; February 29th is the 28th in common ones. */
function dayIn(year: number, monthDay: string): string {
  const [month = 0, date = 0] = monthDay.split("-").map(Number);
  return `${year}-${pad(month)}-${pad(Math.min(date, lastOf(year, month)))}`;
}

/**
 * The last day on which points are good; null for ever.
 * @param usable_from the day from which they are
 * @param told_from not before 30 days after this day: when they are earned, or when an old lot comes under a new rule
 */
export function expiresOn(
  { kind, months, monthDay, yearsBack }: PointRule["expiry"],
  usable_from: string,
  told_from: string,
): string | null {
  const least = addDays(told_from, TOLD_DAYS);
  if (kind === "never") return null;
  if (kind === "months") {
    const ends = addMonths(usable_from, months);
    return told_from > usable_from && ends < least ? least : ends;
  }
  let year = Number(usable_from.slice(0, 4)) + yearsBack;
  // Later than the day on which its list is frozen, so that nothing new comes onto it.
  while (dayIn(year, monthDay) <= least) year++;
  return dayIn(year, monthDay);
}

/** The next yearly end, today's included. */
export function nextEnd({ kind, monthDay }: PointRule["expiry"], today: string): string | null {
  if (kind !== "yearly") return null;
  const year = Number(today.slice(0, 4));
  const here = dayIn(year, monthDay);
  return here >= today ? here : dayIn(year + 1, monthDay);
}
