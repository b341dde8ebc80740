import { dayStart, shanghaiDay, weekdayOf } from "@zhangfang/contract/time.ts";
import { CLOCK_MS } from "../../../devices/server/index.ts";
import { DAYS_AHEAD } from "../../contract/device-side.ts";
import { type Ad, type AdPlace, DAY_MINUTES, reachOf } from "../../contract/schedule.ts";

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
 */
export function couldPlay(was: Enabled, place: AdPlace, { material_id, started_ms }: { material_id: string; started_ms: number }): boolean {
  if (!was.materials.includes(material_id) || "not" in reachOf(was, place)) return false;
  if (was.since !== null && started_ms < Date.parse(was.since) - CLOCK_MS) return false;
  if (was.until !== null && started_ms > Date.parse(was.until) + DAYS_AHEAD * DAY_MS + CLOCK_MS) return false;
  const days = new Set([shanghaiDay(started_ms - CLOCK_MS), shanghaiDay(started_ms + CLOCK_MS)]);
  return [...days].some((day) => {
    if (day < was.startsOn || day > was.endsOn || !was.weekdays.includes(weekdayOf(day))) return false;
    const minute = (started_ms - Date.parse(dayStart(day))) / MINUTE_MS;
    const off = CLOCK_MS / MINUTE_MS;
    return was.periods.some(([from, to]) => from <= minute + off && minute - off < to);
  });
}
