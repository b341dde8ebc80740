const DAY = /^(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?$/;
const two = (part: string): string => part.padStart(2, "0");

/**
 * The day that a text means, YYYY-MM-DD; nothing where it means none.
 * @param done nobody types on: 2026-1-5 is a day then, and no beginning of 2026-1-52
 * @example dayOf("20261120", false) // "2026-11-20"
 */
export function dayOf(text: string, done: boolean): string | undefined {
  const one = text.trim();
  const [, year = "", month = "", day = ""] = /^(\d{4})(\d\d)(\d\d)$/.exec(one) ?? DAY.exec(one) ?? [];
  if (!done && (month.length < 2 || day.length < 2)) return undefined;
  const read = `${year}-${two(month)}-${two(day)}`;
  const at = Date.parse(`${read}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(read) ? read : undefined;
}
/** The time of day that a text means, HH:mm. @example clockOf("930", true) // "09:30" */
export function clockOf(text: string, done: boolean): string | undefined {
  const one = text.trim().replace("：", ":");
  const [, hour = "", minute = "00"] = (done ? /^(\d{1,2})(?::?(\d\d))?$/ : /^(\d\d):?(\d\d)$/).exec(one) ?? [];
  return hour !== "" && Number(hour) < 24 && Number(minute) < 60 ? `${two(hour)}:${minute}` : undefined;
}
/** The day and the time of day that a text means, YYYY-MM-DD HH:mm. */
export function minuteOf(text: string, done: boolean): string | undefined {
  const [, first = "", second = ""] = /^(\d{8}|\S{8,11}?)(?:[T ]\s*|(?<=^\d{8}))(\S+)$/.exec(text.trim()) ?? [];
  const [day, clock] = [dayOf(first, done), clockOf(second, done)];
  return day && clock && `${day} ${clock}`;
}
