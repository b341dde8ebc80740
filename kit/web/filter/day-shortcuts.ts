import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";

/** A range of Shanghai days, both ends included. */
export type Days = readonly [from: string, to: string];

const weekStart = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
const monthStart = (day: string): string => `${day.slice(0, 7)}-01`;

/** The date shortcuts of every date filter, reckoned in Asia/Shanghai. A week begins on Monday. */
export function dayShortcuts(now_ms: number): readonly { readonly label: string; readonly days: Days }[] {
  const today = shanghaiDay(now_ms);
  const yesterday = addDays(today, -1);
  const week = weekStart(today);
  const month = monthStart(today);
  const monthBefore = monthStart(addDays(month, -1));
  return [
    { label: "今天", days: [today, today] },
    { label: "昨天", days: [yesterday, yesterday] },
    { label: "近7天", days: [addDays(today, -6), today] },
    { label: "近30天", days: [addDays(today, -29), today] },
    { label: "本周", days: [week, today] },
    { label: "上周", days: [addDays(week, -7), addDays(week, -1)] },
    { label: "本月", days: [month, today] },
    { label: "上月", days: [monthBefore, addDays(month, -1)] },
  ];
}

/** The date shortcuts as of now. */
export const shortcutsNow = (): ReturnType<typeof dayShortcuts> => dayShortcuts(Date.now());
/** Today in Shanghai. @example useList(listPayOrders, { defaults: { from: today(), to: today() } }) */
export const today = (): string => shanghaiDay(Date.now());
/** Today in Shanghai, so many days ago. */
export const daysAgo = (count: number): string => addDays(today(), -count);
