import type { Poster } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { holdStore, postEntry, type Entry, type LedgerOrder } from "./post-entry.ts";

/** A share of an order, or a return of one: its own id, how much, and when. */
export interface LedgerShare {
  readonly id: string;
  readonly amount_cents: number;
  readonly occurred_at: string;
}
type Post = (tx: Transaction, poster: Poster, order: LedgerOrder, share: LedgerShare) => Promise<void>;
const poster =
  (entryOf: (cents: number, id: string) => Omit<Entry, "occurred_at">, moves = false): Post =>
  async (tx, by, order, { id, amount_cents, occurred_at }) => {
    if (amount_cents === 0) return;
    if (moves) holdStore(tx, order.store_id, "posting");
    await postEntry(tx, by, order, { ...entryOf(amount_cents, id), occurred_at });
  };

/** Sets a share's amount aside, out of what the merchant may claim. */
export const postShareReserve: Post = poster((cents, share_id) => ({
  cause: "share-reserve",
  share_id,
  lines: { merchant: -cents, sharing: cents },
}));
/** The channel gave it to the receivers: it holds that much less for the merchant. Once for each share. */
export const postShareDone: Post = poster(
  (cents, share_id) => ({ cause: "share", share_id, lines: { sharing: -cents, channel: cents }, figures: { shared_cents: cents } }),
  true,
);
/** Receivers did not get it: it is the merchant's as before. */
export const postShareRelease: Post = poster((cents, share_id) => ({
  cause: "share-release",
  share_id,
  lines: { merchant: cents, sharing: -cents },
}));
/** A receiver is to give it back: the merchant may reckon with it, the receiver owes it. */
export const postReturnReserve: Post = poster((cents, share_return_id) => ({
  cause: "share-return-reserve",
  share_return_id,
  lines: { merchant: cents, returning: -cents },
}));
/** It is back at the channel. Once for each return. */
export const postReturnDone: Post = poster(
  (cents, share_return_id) => ({
    cause: "share-return",
    share_return_id,
    lines: { returning: cents, channel: -cents },
    figures: { share_returned_cents: cents },
  }),
  true,
);
/** It does not come back, or is not needed any more. */
export const postReturnRelease: Post = poster((cents, share_return_id) => ({
  cause: "share-return-release",
  share_return_id,
  lines: { merchant: -cents, returning: cents },
}));
