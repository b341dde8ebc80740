/** How long a customer may take: a code on the counter waits a quarter of an hour, a code that the till read one minute. */
export const lifetime_ms = (trade_type: string): number => (trade_type === "MICROPAY" ? 60_000 : 15 * 60_000);

const HOUR_MS = 3_600_000;

/** Ages at which an order that waits for its notification is asked about; afterwards each minute, less the five seconds a look may be late. */
const EARLY_MS = [5_000, 10_000, 30_000, 60_000];
const EACH_MS = 55_000;
/** The answer about an order is good for so long; within it nobody asks again. */
export const REST_MS = 2_000;
/** A call that has not come back after so long will not: the channel's own limit is 8 seconds. */
export const CALL_MS = 15_000;

/**
 * How long until an open order is looked at again. Before its end: a code-pay every few seconds; the rest at 5, 10, 30 and 60 seconds and
 * then each minute, for their notification may be lost. After it: at once, then ever less often, at least every hour.
 */
export function nextLook_ms(
  order: { readonly trade_type: string; readonly created_at: string; readonly expires_at: string },
  now_ms: number,
): number {
  const left_ms = Date.parse(order.expires_at) - now_ms;
  if (left_ms <= 0) return Math.min(HOUR_MS, Math.max(15_000, -left_ms / 2));
  const age_ms = now_ms - Date.parse(order.created_at);
  if (order.trade_type !== "MICROPAY") return Math.min(left_ms, (EARLY_MS.find((at) => at > age_ms) ?? age_ms + EACH_MS) - age_ms);
  return Math.min(left_ms, age_ms < 10_000 ? 2_000 : 5_000);
}
