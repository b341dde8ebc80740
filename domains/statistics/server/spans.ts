import { addDays, daysBetween } from "@zhangfang/contract/time.ts";
import type { Span, Step } from "../contract/index.ts";

/** How many days a span has; both ends count. */
export const lengthOf = ({ from, to }: Span): number => daysBetween(from, to) + 1;
export const daysOf = (span: Span): string[] => Array.from({ length: lengthOf(span) }, (_none, at) => addDays(span.from, at));
export const shifted = ({ from, to }: Span, days: number): Span => ({ from: addDays(from, days), to: addDays(to, days) });
/** As many days, just before. */
export const previousSpan = (span: Span): Span => shifted(span, -lengthOf(span));
/** The same weekdays before: as many whole weeks back as it takes to be clear of the span. */
export const weekAgoSpan = (span: Span): Span => shifted(span, -7 * Math.ceil(lengthOf(span) / 7));

/** The same days of the year before, as many of them. */
export function yearAgoSpan(span: Span): Span {
  const year = String(Number(span.from.slice(0, 4)) - 1);
  // The 29th of February has none: the 28th stands for it.
  const from = span.from.endsWith("-02-29") ? `${year}-02-28` : `${year}${span.from.slice(4)}`;
  return { from, to: addDays(from, lengthOf(span) - 1) };
}
/** The Monday of a day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
/** The months that lie whole within a span, by their first days, and the days before and after them. */
export function wholeMonths(span: Span): { readonly months?: Span; readonly edges: readonly Span[] } {
  const from = span.from === firstOfMonth(span.from) ? span.from : addDays(endOfStep(span.from, "month"), 1);
  const end = endOfStep(span.to, "month") === span.to ? addDays(span.to, 1) : firstOfMonth(span.to);
  if (from >= end) return { edges: [span] };
  const edges = [
    { from: span.from, to: addDays(from, -1) },
    { from: end, to: span.to },
  ].filter((edge) => edge.from <= edge.to);
  return { months: { from, to: firstOfMonth(addDays(end, -1)) }, edges };
}

/** The steps of a trend in order; the first and the last are cut by the span. A week begins on Monday. */
export function stepsOf(span: Span, by: Step): Span[] {
  const steps: Span[] = [];
  for (let from = span.from; from <= span.to;) {
    const end = endOfStep(from, by);
    const to = end < span.to ? end : span.to;
    steps.push({ from, to });
    from = addDays(to, 1);
  }
  return steps;
}
function endOfStep(day: string, by: Step): string {
  if (by === "day") return day;
  if (by === "week") return addDays(day, (7 - new Date(`${day}T00:00:00Z`).getUTCDay()) % 7);
  const [year, month] = day.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
