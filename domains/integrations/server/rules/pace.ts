import { PUSH_TRIES } from "../../contract/words.ts";

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** How long after the n-th failure the next try is (Standard Webhooks): ten tries in 75 hours and 35 minutes. */
export const WAITS_MS: readonly number[] = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const MOST_ASKED_MS = 24 * HOUR;

/**
 * How long to wait after the `tries`-th failure of a round; undefined where that was the last. Ten percent more or less, by chance that the
 * delivery's id decides, so that many that failed together do not come back together.
 * @param asked_ms what a 429 or 503 asked for: never sooner, up to 24 hours
 */
export function waitAfter(tries: number, deliveryId: string, asked_ms = 0): number | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined || tries >= PUSH_TRIES) return undefined;
  const chance = Number.parseInt(deliveryId.replaceAll("-", "").slice(-8), 16) / 0xffff_ffff;
  return Math.max(Math.round(wait * (0.9 + 0.2 * ((chance + tries * 0.618) % 1))), Math.min(asked_ms, MOST_ASKED_MS));
}
/** What stands in Retry-After, seconds or a date (RFC 9110, 10.2.3); 0 where it says nothing. */
export function askedWait(text: string | undefined, now_ms: number): number {
  if (text === undefined) return 0;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now_ms);
}
/** When the last try of a round would be, after `tries` of it and the next at `next_ms`. */
export const lastTryAt = (tries: number, next_ms: number): number => WAITS_MS.slice(tries).reduce((at, wait) => at + wait, next_ms);
