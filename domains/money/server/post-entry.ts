import { sql } from "kysely";
import { postToBook, type Book, type Poster } from "@zhangfang/server/book.ts";
import { behind, turn, type Transaction } from "@zhangfang/server/database/db.ts";
import type { LedgerAccount, LedgerCause } from "../contract.ts";

/** What the book needs to know of an order: whose it is, now and by attribution, and how it was paid. */
export interface LedgerOrder {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly agent_id: string | null;
  readonly business_group_id: string | null;
  readonly business_team_id: string | null;
  readonly salesman_id: string | null;
  readonly channel: number;
  readonly tool: number;
}
export interface Entry {
  readonly cause: LedgerCause;
  readonly refund_id?: string;
  readonly share_id?: string;
  readonly share_return_id?: string;
  /** The moment the money moved at the channel; its Shanghai day is the day of the statistics. */
  readonly occurred_at: string;
  /** Cents by account, signed; they sum to zero. A zero line is left out. */
  readonly lines: Readonly<Partial<Record<LedgerAccount, number>>>;
  /** What the statistics add up. */
  readonly figures?: Readonly<
    Partial<
      Record<
        | "gross_cents"
        | "discount_cents"
        | "paid_cents"
        | "fee_cents"
        | "refund_cents"
        | "refund_fee_cents"
        | "shared_cents"
        | "share_returned_cents",
        number
      >
    >
  >;
}

/** The book of merchants: what the channel holds for whom (docs/money.md). Its floors stand with the maker, in the database. */
export const LEDGER: Book = {
  name: "ledger",
  of: "",
  by: ["merchant_id", "channel"],
  whose: ["merchant_id"],
  // What stored value pays moves no money; its figures stand in the book all the same.
  mayBeEmpty: ["payment", "refund", "refund-reserve", "refund-release"],
  unit: "_cents",
};

/**
 * Adds one entry with its lines. The database refuses it at commit unless it balances, and moves the balances itself; they stay
 * held until then, so that jobs take turns.
 */
export async function postEntry(
  tx: Transaction,
  poster: Poster,
  order: LedgerOrder,
  { cause, refund_id, share_id, share_return_id, occurred_at, lines, figures }: Entry,
): Promise<void> {
  const { service_provider_id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, channel, tool } = order;
  await turn(tx, merchant_id);
  const whose = { merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id };
  const about = { order_id: order.id, refund_id: refund_id ?? null, share_id: share_id ?? null, share_return_id: share_return_id ?? null };
  const entry = { ...whose, cause, ...about, channel, tool, occurred_at, ...figures };
  const moves = Object.entries(lines).map(([kind, amount]) => ({ kind, account: { merchant_id, channel }, amount }));
  await postToBook(tx, LEDGER, poster, service_provider_id, entry, moves);
}

/**
 * Shared by everything that posts for a store, alone for a handover: a handover waits for the entries on their way and
 * holds up new ones, so that its stretch of the ledger has no gaps. What is asked after it is answered once it is held.
 */
export function holdStore(tx: Transaction, store_id: string, how: "posting" | "handover"): void {
  const lock = sql.raw(how === "posting" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  behind(tx, sql`select ${lock}(hashtextextended(${store_id}, 7310022))`);
}
