import { addDays, DAY_RANGE_WORDS, DAY_RANGES, type Days, daysOfRange, shanghaiDay } from "@zhangfang/contract/time.ts";

export type { Days } from "@zhangfang/contract/time.ts";

/** The date shortcuts of every date filter, reckoned in Asia/Shanghai. A week begins on Monday. */
export function dayShortcuts(now_ms: number): readonly { readonly label: string; readonly days: Days }[] {
  const today = shanghaiDay(now_ms);
  return DAY_RANGES.map((range) => ({ label: DAY_RANGE_WORDS[range], days: daysOfRange(range, today) }));
}

/** The date shortcuts as of now. */
export const shortcutsNow = (): ReturnType<typeof dayShortcuts> => dayShortcuts(Date.now());
/** Today in Shanghai. @example useList(listPayOrders, { defaults: { from: today(), to: today() } }) */
export const today = (): string => shanghaiDay(Date.now());
/** Today in Shanghai, so many days ago. */
export const daysAgo = (count: number): string => addDays(today(), -count);
