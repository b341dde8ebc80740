import { yuan } from "@zhangfang/contract/money.ts";
import { feeBack } from "../../../money/server/index.ts";
import type { OrderRow } from "../rows.ts";

/** The channel's limits: at most 50 parts of an order, within 365 days of the payment (channels.md 3). */
export const MOST_REFUNDS = 50;
export const REFUND_DAYS = 365;
export const refundableSince = (now_ms: number): string => new Date(now_ms - REFUND_DAYS * 86_400_000).toISOString();

/** What the rules need to know of an order. */
export type RefundFacts = Pick<
  OrderRow,
  | "status"
  | "paid_at"
  | "paid_cents"
  | "fee_cents"
  | "refunding_cents"
  | "refunded_cents"
  | "refunding_fee_cents"
  | "refunded_fee_cents"
  | "refund_count"
>;

/** Why nothing of an order may go back now; undefined where something may. */
function refusalOf(order: RefundFacts, now_ms: number): string | undefined {
  if (order.status === 3) return "订单已全额退款";
  if (order.status !== 2 || order.paid_at === null) return "订单未支付，不能退款";
  if (Date.parse(order.paid_at) <= Date.parse(refundableSince(now_ms))) return `支付已超过 ${REFUND_DAYS} 天，不能退款`;
  if (order.refund_count >= MOST_REFUNDS) return `已退款 ${MOST_REFUNDS} 次，达到渠道上限`;
  return order.refunded_cents + order.refunding_cents >= order.paid_cents ? "可退金额已全部在退款中" : undefined;
}

/** What may still go back, in cents; zero where nothing may. */
export function refundableCents(order: RefundFacts, now_ms: number): number {
  return refusalOf(order, now_ms) === undefined ? order.paid_cents - order.refunded_cents - order.refunding_cents : 0;
}

export interface RefundPlan {
  /** 1 everything at once, 2 a part. */
  readonly refund_type: 1 | 2;
  readonly fee_cents: number;
  readonly left_cents: number;
  readonly refusal: string | undefined;
}

/** What a refund of `amount_cents` would be, and why it would not be taken. Pure; the reserving UPDATE has the last word. */
export function planRefund(order: RefundFacts, amount_cents: number, now_ms: number): RefundPlan {
  const taken_cents = order.refunded_cents + order.refunding_cents;
  const left_cents = order.paid_cents - taken_cents - amount_cents;
  const exceeds =
    amount_cents < 1 ? "退款金额须大于 0" : left_cents < 0 ? `最多可退 ${yuan(order.paid_cents - taken_cents)} 元` : undefined;
  const refusal = refusalOf(order, now_ms) ?? exceeds;
  return {
    refund_type: amount_cents === order.paid_cents ? 1 : 2,
    fee_cents:
      refusal === undefined
        ? feeBack({ ...order, taken_cents, taken_fee_cents: order.refunded_fee_cents + order.refunding_fee_cents }, amount_cents)
        : 0,
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
