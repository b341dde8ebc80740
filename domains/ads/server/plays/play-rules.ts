import { addDays, dayStart, weekdayOf } from "@zhangfang/contract/time.ts";
import { CLOCK_MS } from "../../../devices/server/index.ts";
import { DAYS_AHEAD } from "../../contract/device-side.ts";
import { type Ad, type AdPlace, DAY_MINUTES, reachOf } from "../../contract/schedule.ts";

/** Where a device stood for a while, and which device it was there. */
export interface Stay {
  readonly device_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  /** Null where it is not known since when. */
  readonly since: string | null;
  /** Null where it stands now. */
  readonly until: string | null;
}
/**
 * Where a thing stood at a moment: at one of the places that it has left since, or where it stands now.
 * @param left in the order in which it left them
 */
export const stayAt = (left: readonly Stay[], now: Stay, at_ms: number): Stay =>
  left.find(({ since, until }) => at_ms < Date.parse(until ?? "") && (since === null || at_ms >= Date.parse(since))) ?? now;

const MINUTE_MS = 60_000;
const DAY_MS = DAY_MINUTES * MINUTE_MS;

/** An ad as it was enabled for a while. */
export interface Enabled extends Pick<Ad, "targets" | "models" | "regions" | "startsOn" | "endsOn" | "weekdays" | "periods"> {
  readonly materials: readonly string[];
  /** Null where it is not known since when, and where it still is. */
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * Whether a device that stands at a place could have shown a material of an ad that was enabled so. What it was told it plays for
 * days without the server, and its clock may be off; what else was on the screen then is not asked.
 * @param day the Shanghai day in which it was shown
 */
export function couldPlay(
  was: Enabled,
  place: AdPlace,
  { material_id, day, started_ms }: { readonly material_id: string; readonly day: string; readonly started_ms: number },
): boolean {
  if (!was.materials.includes(material_id) || "not" in reachOf(was, place)) return false;
  if (was.since !== null && started_ms < Date.parse(was.since) - CLOCK_MS) return false;
  if (was.until !== null && started_ms > Date.parse(was.until) + DAYS_AHEAD * DAY_MS + CLOCK_MS) return false;
  const minute = (started_ms - Date.parse(dayStart(day))) / MINUTE_MS;
  if (isIn(was, day, minute)) return true;
  if (minute < OFF) return isIn(was, addDays(day, -1), minute + DAY_MINUTES);
  return minute >= DAY_MINUTES - OFF && isIn(was, addDays(day, 1), minute - DAY_MINUTES);
}
/** How many minutes a clock may be off. */
const OFF = CLOCK_MS / MINUTE_MS;
function isIn(was: Enabled, day: string, minute: number): boolean {
  if (day < was.startsOn || day > was.endsOn || !was.weekdays.includes(weekdayOf(day))) return false;
  return was.periods.some(([from, to]) => from <= minute + OFF && minute - OFF < to);
}
