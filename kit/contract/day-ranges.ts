import { addDays } from "./time.ts";

/** A range of Shanghai days, both ends included. */
export type Days = readonly [from: string, to: string];
/** Days that move with the calendar. */
export const DAY_RANGES = ["today", "yesterday", "last7", "last30", "week", "lastWeek", "month", "lastMonth"] as const;
export type DayRange = (typeof DAY_RANGES)[number];
export const DAY_RANGE_WORDS: Readonly<Record<DayRange, string>> = {
  today: "今天",
  yesterday: "昨天",
  last7: "近7天",
  last30: "近30天",
  week: "本周",
  lastWeek: "上周",
  month: "本月",
  lastMonth: "上月",
};

const weekStart = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;

/** Which days a range is on a day. A week begins on Monday. @example daysOfRange("lastMonth", "2026-11-20") // ["2026-10-01", "2026-10-31"] */
export function daysOfRange(range: DayRange, today: string): Days {
  const [week, month] = [weekStart(today), monthStart(today)];
  switch (range) {
    case "today":
      return [today, today];
    case "yesterday":
      return [addDays(today, -1), addDays(today, -1)];
    case "last7":
      return [addDays(today, -6), today];
    case "last30":
      return [addDays(today, -29), today];
    case "week":
      return [week, today];
    case "lastWeek":
      return [addDays(week, -7), addDays(week, -1)];
    case "month":
      return [month, today];
    case "lastMonth":
      return [monthStart(addDays(month, -1)), addDays(month, -1)];
  }
}
