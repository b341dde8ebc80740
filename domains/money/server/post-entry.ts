import { sql } from "kysely";
import type { Ids } from "@zhangfang/server/clock.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
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
/** Where ids and now come from. */
export interface Poster {
  readonly ids: Ids;
  readonly now_ms: number;
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

// What a party may claim cannot fall below zero; what the channel and receivers owe is negative by nature.
const FLOOR: Record<LedgerAccount, number | null> = { channel: null, merchant: 0, fee: 0, refunding: 0, sharing: 0, returning: null };

/** Adds one entry with its lines. The database refuses it at commit unless it balances, and moves the balances itself. */
export async function postEntry(
  tx: Transaction,
  { ids, now_ms }: Poster,
  order: LedgerOrder,
  { cause, refund_id, share_id, share_return_id, occurred_at, lines, figures }: Entry,
): Promise<void> {
  const { service_provider_id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id, channel, tool } = order;
  const moves = (Object.entries(lines) as [LedgerAccount, number][]).filter(([, amount_cents]) => amount_cents !== 0);
  const accounts = await openAccounts(
    tx,
    { ids, now_ms },
    order,
    moves.map(([kind]) => kind),
  );
  const entry_id = ids.uuid(now_ms);
  await tx
    .insertInto("ledger_entries")
    .values({
      service_provider_id,
      id: entry_id,
      merchant_id,
      store_id,
      agent_id,
      business_group_id,
      business_team_id,
      salesman_id,
      cause,
      order_id: order.id,
      refund_id: refund_id ?? null,
      share_id: share_id ?? null,
      share_return_id: share_return_id ?? null,
      channel,
      tool,
      occurred_at,
      ...figures,
    })
    .execute();
  // In id order, so that two entries lock the accounts in the same order.
  const postings = moves
    .map(([kind, amount_cents]) => ({
      service_provider_id,
      entry_id,
      account_id: accounts.get(kind) ?? "",
      merchant_id,
      amount_cents,
      balance_after_cents: 0,
    }))
    .toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1));
  await tx.insertInto("ledger_postings").values(postings).execute();
}

async function openAccounts(
  tx: Transaction,
  { ids, now_ms }: Poster,
  order: LedgerOrder,
  kinds: readonly LedgerAccount[],
): Promise<Map<LedgerAccount, string>> {
  const { service_provider_id, merchant_id, channel } = order;
  const find = async () => {
    const rows = await tx
      .selectFrom("ledger_accounts")
      .select(["kind", "id"])
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("channel", "=", channel)
      .where("kind", "in", [...kinds])
      .execute();
    return new Map(rows.map((row) => [row.kind as LedgerAccount, row.id]));
  };
  const found = await find();
  const missing = kinds.filter((kind) => !found.has(kind)).toSorted();
  if (missing.length === 0) return found;
  await tx
    .insertInto("ledger_accounts")
    .values(missing.map((kind) => ({ service_provider_id, id: ids.uuid(now_ms), merchant_id, kind, channel, floor_cents: FLOOR[kind] })))
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "merchant_id", "kind", "channel"]).doNothing())
    .execute();
  return find();
}

/**
 * Shared by everything that posts for a store, alone for a handover: a handover waits for the entries on their way and
 * holds up new ones, so that its stretch of the ledger has no gaps.
 */
export async function holdStore(tx: Transaction, store_id: string, how: "posting" | "handover"): Promise<void> {
  const lock = sql.raw(how === "posting" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  await sql`select ${lock}(hashtextextended(${store_id}, 7310022))`.execute(tx);
}
