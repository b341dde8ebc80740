/** How long a customer may take: a code on the counter waits a quarter of an hour, a code that the till read one minute. */
export const lifetime_ms = (trade_type: string): number => (trade_type === "MICROPAY" ? 60_000 : 15 * 60_000);

const HOUR_MS = 3_600_000;

/**
 * How long until an open order is looked at again. Before its end: a code-pay every few seconds, the rest not at all,
 * because a notification comes. After it: at once, then ever less often, at least every hour.
 */
export function nextLook_ms(
  order: { readonly trade_type: string; readonly created_at: string; readonly expires_at: string },
  now_ms: number,
): number {
  const left_ms = Date.parse(order.expires_at) - now_ms;
  if (left_ms <= 0) return Math.min(HOUR_MS, Math.max(15_000, -left_ms / 2));
  if (order.trade_type !== "MICROPAY") return left_ms;
  const age_ms = now_ms - Date.parse(order.created_at);
  return Math.min(left_ms, age_ms < 10_000 ? 2_000 : 5_000);
}
