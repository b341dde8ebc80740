import { addDays, type DayRange, type Days, daysOfRange, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";

const HOUR_MS = 3_600_000;
/** Ranges that go on to the present moment: at eight in the morning today is eight hours. */
const OPEN: ReadonlySet<DayRange> = new Set(["today", "last7", "last30", "week", "month"]);

/** The next eight in the morning after a moment: of any day, or of a Monday. */
export function nextRound(every: "day" | "week", now_ms: number): string {
  for (let day = shanghaiDay(now_ms); ; day = addDays(day, 1)) {
    const at = Date.parse(dayStart(day)) + 8 * HOUR_MS;
    const monday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
    if (at > now_ms && (every === "day" || monday)) return new Date(at).toISOString();
  }
}
/**
 * Which days a view's file has: whole ones. What goes on to the present ends with the day before; 今天, 本周 and 本月 of each Monday are the week before.
 * @param today the day on which it is made
 * @example daysSent("today", "day", "2026-11-20") // ["2026-11-19", "2026-11-19"]
 */
export function daysSent(days: DayRange, every: "day" | "week", today: string): Days {
  if (!OPEN.has(days)) return daysOfRange(days, today);
  if (every === "week" && !days.startsWith("last")) return daysOfRange("lastWeek", today);
  return daysOfRange(days, addDays(today, -1));
}
