import type { Poster } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { holdStore, postEntry, type LedgerOrder } from "./post-entry.ts";

export interface Payment {
  readonly gross_cents: number;
  readonly discount_cents: number;
  readonly paid_cents: number;
  readonly fee_cents: number;
  readonly occurred_at: string;
}

/** A payment: the channel owes what was paid, the merchant may claim it less the fee. Once for each order. */
export async function postPayment(
  tx: Transaction,
  poster: Poster,
  order: LedgerOrder,
  { occurred_at, ...figures }: Payment,
): Promise<void> {
  const { paid_cents, fee_cents } = figures;
  holdStore(tx, order.store_id, "posting");
  await postEntry(tx, poster, order, {
    cause: "payment",
    occurred_at,
    lines: { channel: -paid_cents, merchant: paid_cents - fee_cents, fee: fee_cents },
    figures,
  });
}
