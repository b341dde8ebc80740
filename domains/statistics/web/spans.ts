import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";
import { addDays, daysBetween, shanghaiTime, weekdayName } from "@zhangfang/contract/time.ts";

/** The spans of the home. 今日 is the only one that still moves; the others end with yesterday, the last whole day. */
export const range = labelled({ yesterday: "昨日", today: "今日", week: "近7天", month: "本月" });
export type Range = CodeOf<typeof range>;

/** The day that the hours of a day are drawn against. */
export const compare = labelled({ week: "上周同日", previous: "前一日" });
export type Compare = CodeOf<typeof compare>;

export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The days of a range. On the first of a month there is no whole day yet: 本月 is then today. */
export function spanOf(chosen: Range, today: string): Span {
  const yesterday = addDays(today, -1);
  const month = `${today.slice(0, 7)}-01`;
  if (chosen === "today") return { from: today, to: today };
  if (chosen === "week") return { from: addDays(today, -7), to: yesterday };
  if (chosen === "month") return { from: month, to: month > yesterday ? today : yesterday };
  return { from: yesterday, to: yesterday };
}

/** How many days a span has. */
export const daysOf = ({ from, to }: Span): number => daysBetween(from, to) + 1;

/** What a span is called beside a figure: 昨日, 今日, or its days. */
export function spanName(span: Span, today: string): string {
  if (span.from !== span.to) return `${shortDay(span.from)} 至 ${shortDay(span.to)}`;
  if (span.to === today) return "今日";
  return span.to === addDays(today, -1) ? "昨日" : shortDay(span.to);
}

/** A span in full: 2026-11-19 周四, or 2026-11-01 至 2026-11-19. */
export const spanWords = ({ from, to }: Span): string => (from === to ? `${to} ${weekdayName(to)}` : `${from} 至 ${to}`);

/** What the span before is called: 较前一日, 较前 7 天. */
export const againstWords = (span: Span): string => (span.from === span.to ? "较前一日" : `较前 ${daysOf(span)} 天`);

/** 2026-11-05 → 11-05. */
export const shortDay = (day: string): string => day.slice(5);

/** The moment that figures stand for: HH:mm today, with its day otherwise. */
export function asOfWords(asOf: string, today: string): string {
  const text = shanghaiTime(asOf);
  return text.startsWith(today) ? text.slice(11, 16) : text.slice(5, 16);
}

/** The change from one figure to another in parts of 100; null where there was nothing before. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : ((now - before) * 100) / Math.abs(before));
