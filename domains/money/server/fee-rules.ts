import { proportion, share } from "@zhangfang/contract/money.ts";

/** The fee of a payment in cents. @param fee_rate parts per 100,000, as it was when the order came in */
export const feeOf = (paid_cents: number, fee_rate: number): number => share(paid_cents, fee_rate);

/** What an order's refunds hold or took so far. */
export interface Refunded {
  readonly paid_cents: number;
  readonly fee_cents: number;
  /** Done and on their way together. */
  readonly taken_cents: number;
  readonly taken_fee_cents: number;
}

/**
 * What of the fee goes back with a refund, in cents: in proportion, never more than is left, and the refund that
 * empties the order takes the remainder, so that the parts always sum to the whole fee.
 */
export function feeBack({ paid_cents, fee_cents, taken_cents, taken_fee_cents }: Refunded, amount_cents: number): number {
  const left = fee_cents - taken_fee_cents;
  if (taken_cents + amount_cents >= paid_cents) return left;
  return Math.min(left, proportion(fee_cents, amount_cents, paid_cents));
}
