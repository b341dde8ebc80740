import type { Poster } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { holdStore, postEntry, type LedgerOrder } from "./post-entry.ts";

export interface LedgerRefund {
  readonly id: string;
  readonly amount_cents: number;
  /** What of the fee goes back. */
  readonly fee_cents: number;
  readonly occurred_at: string;
}

/** Sets a refund's amount aside: from the merchant what it bears, from the fee what goes back. */
export async function postRefundReserve(
  tx: Transaction,
  poster: Poster,
  order: LedgerOrder,
  { id, amount_cents, fee_cents, occurred_at }: LedgerRefund,
): Promise<void> {
  await postEntry(tx, poster, order, {
    cause: "refund-reserve",
    refund_id: id,
    occurred_at,
    lines: { merchant: fee_cents - amount_cents, fee: -fee_cents, refunding: amount_cents },
  });
}

/** The channel gave it to the payer: what was set aside is gone. Once for each refund. */
export async function postRefundDone(
  tx: Transaction,
  poster: Poster,
  order: LedgerOrder,
  { id, amount_cents, fee_cents, occurred_at }: LedgerRefund,
): Promise<void> {
  holdStore(tx, order.store_id, "posting");
  const figures = { refund_cents: amount_cents, refund_fee_cents: fee_cents };
  await postEntry(tx, poster, order, {
    cause: "refund",
    refund_id: id,
    occurred_at,
    lines: { refunding: -amount_cents, channel: amount_cents },
    figures,
  });
}

/** It came to nothing: what was set aside goes back where it came from. */
export async function postRefundRelease(
  tx: Transaction,
  poster: Poster,
  order: LedgerOrder,
  { id, amount_cents, fee_cents, occurred_at }: LedgerRefund,
): Promise<void> {
  await postEntry(tx, poster, order, {
    cause: "refund-release",
    refund_id: id,
    occurred_at,
    lines: { merchant: amount_cents - fee_cents, fee: fee_cents, refunding: -amount_cents },
  });
}
