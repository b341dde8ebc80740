/** Stretches of a day in minutes, the second excluded. */
export type Periods = readonly (readonly [number, number])[];

/** A minute of the day as people write it. @example clock(1440) // "24:00" */
export const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
/** Periods in words. @example "09:00–12:00、14:00–18:30" */
export const periodWords = (periods: Periods): string =>
  periods.length === 1 && periods[0]?.[0] === 0 && periods[0][1] === 1_440
    ? "全天"
    : periods.map(([from, to]) => `${clock(from)}–${clock(to)}`).join("、");

const NAMES = ["一", "二", "三", "四", "五", "六", "日"] as const;
/** 1 Monday to 7 Sunday, in words. */
export const weekdayWord = (weekday: number): string => `周${NAMES[weekday - 1] ?? ""}`;
/** Weekdays in words. @example "每天", "周一至周五", "周二、周六" */
export function weekdaysWords(weekdays: readonly number[]): string {
  const sorted = weekdays.toSorted((a, b) => a - b);
  const [first = 1] = sorted;
  const last = sorted.at(-1) ?? first;
  if (sorted.length === 7) return "每天";
  if (sorted.length > 2 && last - first === sorted.length - 1) return `${weekdayWord(first)}至${weekdayWord(last)}`;
  return sorted.map(weekdayWord).join("、");
}
