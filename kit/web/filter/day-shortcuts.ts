import { addDays, DAY_RANGE_WORDS, DAY_RANGES, type Days, daysOfRange, shanghaiDay } from "@zhangfang/contract/time.ts";

export type { Days } from "@zhangfang/contract/time.ts";

/**
 * The date shortcuts of every date filter, reckoned in Asia/Shanghai. A week begins on Monday.
 * @param whole figures of whole days: 近7天 and 近30天 end with yesterday, and the filter says so
 */
export function dayShortcuts(now_ms: number, whole = false): readonly { readonly label: string; readonly days: Days }[] {
  const today = shanghaiDay(now_ms);
  const not = whole ? "last" : "past";
  return DAY_RANGES.filter((range) => range.replace(/\d+$/, "") !== not).map((range) => ({
    label: DAY_RANGE_WORDS[range],
    days: daysOfRange(range, today),
  }));
}

/** The date shortcuts as of now. */
export const shortcutsNow = (whole: boolean): ReturnType<typeof dayShortcuts> => dayShortcuts(Date.now(), whole);
/** Today in Shanghai. @example useList(listPayOrders, { defaults: { from: today(), to: today() } }) */
export const today = (): string => shanghaiDay(Date.now());
/** Today in Shanghai, so many days ago. */
export const daysAgo = (count: number): string => addDays(today(), -count);
