import { dayStart, addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { OpenHours, Opening } from "../../../stores/contract/index.ts";

const DAY_MS = 86_400_000;
const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
/** One day's hours as moments; closing at or before the opening is on the next day. */
function stretchOf(day: string, { from, to }: OpenHours): { from_ms: number; to_ms: number } {
  const start = Date.parse(dayStart(day));
  const [opens, closes] = [minutesOf(from), minutesOf(to)];
  return { from_ms: start + opens * 60_000, to_ms: start + closes * 60_000 + (closes <= opens ? DAY_MS : 0) };
}

/**
 * Since when a store is open, over midnights on which it does not close; undefined while it is closed. Where nobody said when it
 * opens it is always open.
 */
export function openSince(opening: Opening | null, now_ms: number): number | undefined {
  if (!opening) return Number.NEGATIVE_INFINITY;
  const today = shanghaiDay(now_ms);
  // A week and a day back: whoever never closes was open for as long as anybody asks.
  const stretches = Array.from({ length: 9 }, (_none, back) => addDays(today, -back)).flatMap((day) => {
    const hours = opening[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7];
    return hours ? [stretchOf(day, hours)] : [];
  });
  let since = stretches.find(({ from_ms, to_ms }) => from_ms <= now_ms && now_ms < to_ms)?.from_ms;
  for (const { from_ms, to_ms } of stretches) if (since !== undefined && from_ms < since && to_ms >= since) since = from_ms;
  return since;
}

/** Whether a device has been silent for so long while its store was open. */
export function silentTooLong(device: { lastSeen_ms: number; opening: Opening | null; minutes: number }, now_ms: number): boolean {
  const since = openSince(device.opening, now_ms);
  return since !== undefined && now_ms - Math.max(since, device.lastSeen_ms) >= device.minutes * 60_000;
}
