/** When a store opens and closes on a weekday, `HH:MM`. A closing at or before the opening is on the next day; the same moment is all day. */
export interface OpenHours {
  readonly from: string;
  readonly to: string;
}
/** Monday first; null on a day that it is closed. */
export type Opening = readonly (OpenHours | null)[];

export const WEEKDAYS = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"] as const;

/** The same hours on every day. */
export const everyDay = (from: string, to: string): OpenHours[] => WEEKDAYS.map(() => ({ from, to }));

const hoursWords = (hours: OpenHours | null): string =>
  hours === null ? "休息" : hours.from === hours.to ? "全天" : `${hours.from}–${hours.to < hours.from ? "次日 " : ""}${hours.to}`;

/** The week in words, days with the same hours together. @example "周一至周五 09:00–22:00，周六至周日 10:00–23:00" */
export function openingWords(opening: Opening | null | undefined): string | null {
  if (!opening || opening.length !== WEEKDAYS.length) return null;
  const spans: { first: number; last: number; words: string }[] = [];
  for (const [day, hours] of opening.entries()) {
    const words = hoursWords(hours);
    const before = spans.at(-1);
    if (before?.words === words) before.last = day;
    else spans.push({ first: day, last: day, words });
  }
  if (spans.length === 1) return `每天 ${spans[0]!.words}`;
  return spans.map(({ first, last, words }) => `${WEEKDAYS[first]}${last > first ? `至${WEEKDAYS[last]}` : ""} ${words}`).join("，");
}
