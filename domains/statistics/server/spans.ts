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
/** Months or days by their first and last; those of sign -1 are taken away again. */
export interface Stretch {
  readonly unit: "month" | "day";
  readonly span: Span;
  readonly sign: 1 | -1;
}
/** A span as the fewest months and days: where most of a month belongs to it, the whole month less the days that do not. */
export function stretchesOf(span: Span): Stretch[] {
  const [first, last] = [firstOfMonth(span.from), firstOfMonth(span.to)];
  if (first === last) {
    const beside = daysBeside(span, { from: first, to: endOfStep(span.to, "month") });
    return lengthsOf(beside) + 1 < lengthOf(span) ? lessDays(first, first, beside) : [{ unit: "day", span, sign: 1 }];
  }
  const [endOfFirst, endOfLast] = [endOfStep(first, "month"), endOfStep(last, "month")];
  const head = { from: span.from, to: endOfFirst };
  const tail = { from: last, to: span.to };
  const [beforeHead, afterTail] = [daysBeside(head, { from: first, to: endOfFirst }), daysBeside(tail, { from: last, to: endOfLast })];
  const [wholeHead, wholeTail] = [lengthsOf(beforeHead) + 1 < lengthOf(head), lengthsOf(afterTail) + 1 < lengthOf(tail)];
  const [from, to] = [wholeHead ? first : addDays(endOfFirst, 1), wholeTail ? last : firstOfMonth(addDays(last, -1))];
  return [
    ...(from <= to ? lessDays(from, to, [...(wholeHead ? beforeHead : []), ...(wholeTail ? afterTail : [])]) : []),
    ...(wholeHead ? [] : [{ unit: "day", span: head, sign: 1 } as const]),
    ...(wholeTail ? [] : [{ unit: "day", span: tail, sign: 1 } as const]),
  ];
}
const lessDays = (from: string, to: string, beside: readonly Span[]): Stretch[] => [
  { unit: "month", span: { from, to }, sign: 1 },
  ...beside.map((days) => ({ unit: "day", span: days, sign: -1 }) as const),
];
/** The days of the outer span before and after the inner one. */
const daysBeside = (inner: Span, outer: Span): Span[] =>
  [
    { from: outer.from, to: addDays(inner.from, -1) },
    { from: addDays(inner.to, 1), to: outer.to },
  ].filter(({ from, to }) => from <= to);
const lengthsOf = (spans: readonly Span[]): number => spans.reduce((sum, one) => sum + lengthOf(one), 0);

/** The step that a day begins, cut by the span's end. */
export function stepFrom(from: string, span: Span, by: Step): Span {
  const end = endOfStep(from, by);
  return { from, to: end < span.to ? end : span.to };
}
/** The steps of a trend in order; the first and the last are cut by the span. A week begins on Monday. */
export function stepsOf(span: Span, by: Step): Span[] {
  const steps: Span[] = [];
  for (let from = span.from; from <= span.to;) {
    const step = stepFrom(from, span, by);
    steps.push(step);
    from = addDays(step.to, 1);
  }
  return steps;
}
function endOfStep(day: string, by: Step): string {
  if (by === "day") return day;
  if (by === "week") return addDays(day, (7 - new Date(`${day}T00:00:00Z`).getUTCDay()) % 7);
  const [year, month] = day.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
}
