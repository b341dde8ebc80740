/** Asia/Shanghai has had no daylight saving since 1991: a fixed eight hours for every moment this product stores. */
const SHANGHAI_MS = 8 * 3600_000;
const DAY_MS = 86_400_000;

/**
 * A moment as the product shows it: Asia/Shanghai, YYYY-MM-DD HH:mm:ss.
 * @param given ISO text, milliseconds, a Date, or a 10-digit number, which is seconds (spec.md section 9)
 */
export function shanghaiTime(given: string | number | Date): string {
  return shifted(given).toISOString().slice(0, 19).replace("T", " ");
}
/** The Shanghai calendar day of a moment, YYYY-MM-DD. */
export function shanghaiDay(given: string | number | Date): string {
  return shifted(given).toISOString().slice(0, 10);
}
/** The moment at which a Shanghai day begins, ISO in UTC. */
export function dayStart(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - SHANGHAI_MS).toISOString();
}
/** The day `count` days after. @example addDays("2026-02-28", 1) // "2026-03-01" */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}
/** The same day `count` months after, at most the last of that month. @example addMonths("2027-01-31", 1) // "2027-02-28" */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, of = 1] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.toISOString().slice(0, 8)}${String(Math.min(of, last)).padStart(2, "0")}`;
}
/** Days from the one to the other. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
const WEEKDAYS = ["周日", "周一", "周二", "周三", "周四", "周五", "周六"] as const;
/** The Chinese weekday of a day. */
export function weekdayName(day: string): string {
  return WEEKDAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? "";
}
/** The weekday of a day as ads number it: 1 Monday to 7 Sunday (spec.md section 3). @example weekdayOf("2026-11-22") // 7 */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}
/** The same weekday as coupons and the statistics' table number it: 0 Sunday to 6 Saturday. @param weekday 1 Monday to 7 Sunday */
export const sundayFirst = (weekday: number): number => weekday % 7;
function shifted(given: string | number | Date): Date {
  const asNumber = typeof given === "string" && /^\d{10}(\d{3})?$/.test(given) ? Number(given) : given;
  const ms = typeof asNumber === "number" ? (asNumber < 10_000_000_000 ? asNumber * 1000 : asNumber) : new Date(asNumber).getTime();
  return new Date(ms + SHANGHAI_MS);
}

/** A range of Shanghai days, both ends included. */
export type Days = readonly [from: string, to: string];
/** Days that move with the calendar; what is past ends with yesterday, for figures of whole days. */
export const DAY_RANGES = ["today", "yesterday", "last7", "last30", "past7", "past30", "week", "lastWeek", "month", "lastMonth"] as const;
export type DayRange = (typeof DAY_RANGES)[number];
export const DAY_RANGE_WORDS: Readonly<Record<DayRange, string>> = {
  today: "今天",
  yesterday: "昨天",
  last7: "近7天",
  last30: "近30天",
  past7: "近7天",
  past30: "近30天",
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
    case "past7":
      return [addDays(today, -7), addDays(today, -1)];
    case "past30":
      return [addDays(today, -30), addDays(today, -1)];
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
