import { addMonths, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";

/** Seconds until what was sent is asked about: 3 s, 5 s, 15 s, 1, 5, 15 min, then each hour for a day. */
const WAITS_S = [3, 5, 15, 60, 300, 900];
const HOUR_S = 3_600;
const DAY_HOURS = 24;
/** After so many questions; undefined: a day is over, and a person looks at it. */
export const nextAsk_s = (asked: number): number | undefined => WAITS_S[asked] ?? (asked < WAITS_S.length + DAY_HOURS ? HOUR_S : undefined);
/** "Never heard of it" is not believed for so long after it was sent: it may still be on its way. */
export const BELIEVED_MS = 10 * 60_000;
const QUOTA_MS = 10 * 60_000;
const monthOf = (now_ms: number): string => `${shanghaiDay(now_ms).slice(0, 7)}-01`;
/** A quota that was read after this is reckoned with: for ten minutes, and not beyond the 1st at 00:00, when another one begins. */
export const quotaSince_ms = (now_ms: number): number => Math.max(now_ms - QUOTA_MS, Date.parse(dayStart(monthOf(now_ms))) - 1);
/** Until one that is short is read again: an hour, and not beyond the 1st. */
export const quotaAgain_s = (now_ms: number): number =>
  Math.min(HOUR_S, Math.ceil((Date.parse(dayStart(addMonths(monthOf(now_ms), 1))) - now_ms) / 1_000));
/** A form that waits for the other side is asked about each half hour. */
export const FORM_S = 1_800;
/** How long the other side has to confirm (the bureau's rule). */
export const CONFIRM_MS = 72 * 3_600_000;
/** A code to scan at most once a minute, and so many a day (诺诺, third-hand). */
export const SESSION_S = 60;
export const SESSION_DAY = 20;
/** How long a code can be scanned, and a minute in which that is still heard of (诺诺, third-hand). */
export const CODE_MS = 6 * 60_000;
/** reInvoice so many times a day (E9613). */
export const MOST_SEALS = 20;
