import { yuan } from "@zhangfang/contract/money.ts";
import { feeBack } from "../../../money/server/index.ts";
import { type OrderRow, valueOf } from "../rows.ts";

/** The channel's limits: at most 50 parts of an order, within 365 days of the payment (channels.md 3). */
export const MOST_REFUNDS = 50;
export const REFUND_DAYS = 365;
export const refundableSince = (now_ms: number): string => new Date(now_ms - REFUND_DAYS * 86_400_000).toISOString();

/** What the rules need to know of an order. */
export type RefundFacts = Pick<
  OrderRow,
  | "status"
  | "paid_at"
  | "purpose"
  | "paid_cents"
  | "principal_cents"
  | "gift_cents"
  | "value_refunding_cents"
  | "value_refunded_cents"
  | "fee_cents"
  | "refunding_cents"
  | "refunded_cents"
  | "refunding_fee_cents"
  | "refunded_fee_cents"
  | "refund_count"
>;

/** What of an order is back or on its way back, in value. */
const backOf = (order: RefundFacts): number => order.value_refunded_cents + order.value_refunding_cents;
/** Why nothing of an order may go back now; undefined where something may. The channel's limits hold where it is asked at all. */
export function refusalOf(order: RefundFacts, now_ms: number): string | undefined {
  if (order.status === 3) return "订单已全额退款";
  if (order.status !== 2 || order.paid_at === null) return "订单未支付，不能退款";
  if (order.paid_cents > 0 && Date.parse(order.paid_at) <= Date.parse(refundableSince(now_ms)))
    return `支付已超过 ${REFUND_DAYS} 天，不能退款`;
  if (order.refund_count >= MOST_REFUNDS) return `已退款 ${MOST_REFUNDS} 次，达到通道上限`;
  return valueOf(order) > 0 && backOf(order) >= valueOf(order) ? "可退金额已全部在退款中" : undefined;
}

/** What of an order's value may still go back by a refund, in cents; undefined where none may. What was sold beforehand goes back in its own room. */
export function refundableCents(order: RefundFacts, now_ms: number): number | undefined {
  return refusalOf(order, now_ms) === undefined && order.purpose === 0 ? valueOf(order) - backOf(order) : undefined;
}

/** What of the fee comes back with so much money. */
export function feeOf(order: RefundFacts, money_cents: number): number {
  const taken_cents = order.refunded_cents + order.refunding_cents;
  return feeBack({ ...order, taken_cents, taken_fee_cents: order.refunded_fee_cents + order.refunding_fee_cents }, money_cents);
}

export interface RefundPlan {
  /** 1 everything at once, 2 a part. */
  readonly refund_type: 1 | 2;
  readonly fee_cents: number;
  readonly left_cents: number;
  readonly refusal: string | undefined;
}

/**
 * What a refund of so much value would be, and why it would not be taken. An order without any value is voided by a refund of nothing.
 * Pure; the reserving UPDATE has the last word.
 * @param money_cents what of it goes back through the channel
 * @param nothing whether a refund of no value is one: vouchers alone go back with it
 */
export function planRefund(
  order: RefundFacts,
  value_cents: number,
  now_ms: number,
  money_cents = value_cents,
  nothing = false,
): RefundPlan {
  const whole_cents = valueOf(order);
  const left_cents = whole_cents - backOf(order) - value_cents;
  const exceeds =
    value_cents < 1 && whole_cents > 0 && !nothing
      ? "退款金额须大于 0"
      : left_cents < 0
        ? `最多可退 ${yuan(whole_cents - backOf(order))} 元`
        : undefined;
  const refusal = refusalOf(order, now_ms) ?? exceeds;
  return {
    refund_type: value_cents === whole_cents ? 1 : 2,
    fee_cents: refusal === undefined ? feeOf(order, money_cents) : 0,
    left_cents: Math.max(0, left_cents),
    refusal,
  };
}

/** Above the merchant's limit somebody else has to agree, unless whoever asks is the one who decides. */
export const needsApproval = (limit_cents: number | null, amount_cents: number, mayDecide: boolean): boolean =>
  limit_cents !== null && amount_cents > limit_cents && !mayDecide;

/** How long until a refund on its way is asked about again: ever less often, between 10 seconds and half an hour. */
export const nextRefundLook_ms = (created_at: string, now_ms: number): number =>
  Math.min(1_800_000, Math.max(10_000, (now_ms - Date.parse(created_at)) / 2));
