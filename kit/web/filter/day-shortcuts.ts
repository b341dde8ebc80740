import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";

/** A range of Shanghai days, both ends included. */
export type Days = readonly [from: string, to: string];

const weekStart = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;

/**
 * The date shortcuts of every date filter, reckoned in Asia/Shanghai. A week begins on Monday.
 * @param whole figures of whole days: 近7天 and 近30天 end with yesterday, and the filter says so
 */
export function dayShortcuts(now_ms: number, whole = false): readonly { readonly label: string; readonly days: Days }[] {
  const today = shanghaiDay(now_ms);
  const yesterday = addDays(today, -1);
  const week = weekStart(today);
  const month = monthStart(today);
  const last = whole ? yesterday : today;
  const monthBefore = monthStart(addDays(month, -1));
  return [
    { label: "今天", days: [today, today] },
    { label: "昨天", days: [yesterday, yesterday] },
    { label: "近7天", days: [addDays(last, -6), last] },
    { label: "近30天", days: [addDays(last, -29), last] },
    { label: "本周", days: [week, today] },
    { label: "上周", days: [addDays(week, -7), addDays(week, -1)] },
    { label: "本月", days: [month, today] },
    { label: "上月", days: [monthBefore, addDays(month, -1)] },
  ];
}

/** The date shortcuts as of now. */
export const shortcutsNow = (whole: boolean): ReturnType<typeof dayShortcuts> => dayShortcuts(Date.now(), whole);
/** Today in Shanghai. @example useList(listPayOrders, { defaults: { from: today(), to: today() } }) */
export const today = (): string => shanghaiDay(Date.now());
/** Today in Shanghai, so many days ago. */
export const daysAgo = (count: number): string => addDays(today(), -count);
