import { partBack, share } from "@zhangfang/contract/money.ts";

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

/** What of the fee goes back with a refund, in cents: `partBack` of what was paid, so that the parts always sum to the whole fee. */
export function feeBack({ paid_cents, fee_cents, taken_cents, taken_fee_cents }: Refunded, amount_cents: number): number {
  return partBack(fee_cents, taken_fee_cents, amount_cents, paid_cents - taken_cents);
}
