import { sql } from "kysely";
import { postToBook, type Book, type Poster } from "@zhangfang/server/book.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import type { ValueCause } from "../contract.ts";

/** The book of members: what they paid for, were given and hold in points (docs/money.md). Its floors stand with the maker, in the database. */
export const VALUE: Book = {
  name: "value",
  of: " of members",
  by: ["merchant_id", "owner_id"],
  whose: ["merchant_id", "owner_id"],
  mayBeEmpty: [],
  unit: "",
};

/** Whose value it is: a member at one merchant. */
export interface Holder {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly member_id: string;
}
/** The order that value is spent on, and where. */
export interface ValueOrder {
  readonly id: string;
  readonly store_id: string;
}

type MemberKind =
  | "principal"
  | "principal-held"
  | "gift"
  | "gift-held"
  | "points"
  | "points-pending"
  | "points-held"
  | "points-debt"
  | "times";
const FLOWS = [
  "sold",
  "granted",
  "opening",
  "earned",
  "gift-used",
  "points-issued",
  "points-opening",
  "points-used",
  "points-cleared",
  "returned",
  "forfeited",
  "gift-void",
  "adjusted",
  "transferred",
  "times-sold",
  "times-earned",
  "points-adjusted",
  "points-moved",
] as const;
type Kind = MemberKind | (typeof FLOWS)[number];
const isFlow = (kind: string): boolean => (FLOWS as readonly string[]).includes(kind);

export interface ValueEntry {
  readonly cause: ValueCause;
  /** With the cause it names the entry: one there can be. */
  readonly cause_id: string;
  /** Several of one cause: an order that was closed and paid after all sets aside once more. */
  readonly part?: number;
  readonly store_id?: string | undefined;
  readonly order_id?: string | undefined;
  readonly refund_id?: string | undefined;
  readonly occurred_at: string;
  /** Cents, or points, by account; they sum to zero in each. */
  readonly lines: Readonly<Partial<Record<Kind, number>>>;
}

/** Adds one entry for a member. @throws what the database refuses: a balance below zero (23514, ledger_floor), lines that don't sum to zero */
export async function postValue(tx: Transaction, poster: Poster, holder: Holder, entry: ValueEntry): Promise<void> {
  const { service_provider_id, merchant_id, member_id } = holder;
  const { lines, part = 0, store_id = null, order_id = null, refund_id = null, ...named } = entry;
  await postToBook(
    tx,
    VALUE,
    poster,
    service_provider_id,
    { merchant_id, owner_id: member_id, part, store_id, order_id, refund_id, ...named },
    Object.entries(lines).map(([kind, amount]) => ({
      kind,
      account: { merchant_id, owner_id: isFlow(kind) ? merchant_id : member_id },
      amount,
    })),
  );
}

/** Which entries of a cause there are already: what was done once is not done again. @returns their parts */
export async function partsOf(tx: Transaction, holder: Holder, cause: ValueCause, cause_id: string): Promise<number[]> {
  const rows = await tx
    .selectFrom("value_entries")
    .select("part")
    .where("service_provider_id", "=", holder.service_provider_id)
    .where("cause", "=", cause)
    .where("cause_id", "=", cause_id)
    .execute();
  return rows.map(({ part }) => part);
}

/** A member whose value is locked. */
interface Locked {
  readonly holder: Holder;
  /** They have left for good: nothing comes to them any more. */
  readonly gone: boolean;
}
/**
 * Whoever moves value of the same member waits here until the end of the transaction. A lock and not a row: the book's rows can't be
 * held by whoever may not change them, and a member may have none yet.
 * @returns whose value it is by then: somebody who was merged is who they are now
 */
export async function whoHolds(tx: Transaction, { service_provider_id, merchant_id, member_id }: Holder): Promise<Locked> {
  const [locked] = await ask(
    tx,
    sql<{ id: string; gone: boolean }>`select id, gone from app.lock_holder(${service_provider_id}, ${merchant_id}, ${member_id})`,
  );
  if (!locked) throw new Error("a lock without an answer");
  return { holder: { service_provider_id, merchant_id, member_id: locked.id }, gone: locked.gone };
}
/**
 * The same, and what is asked once they are locked, in one message; asked again of who they are now where they were merged.
 * @param look asks at once, and changes nothing
 */
export async function waitAndLook<T>(tx: Transaction, whose: Holder, look: (holder: Holder) => Promise<T>): Promise<[Holder, T]> {
  const [{ holder }, found] = await Promise.all([whoHolds(tx, whose), look(whose)]);
  return [holder, holder.member_id === whose.member_id ? found : await look(holder)];
}
/** Locks several members of one merchant in one order, whatever older name they come by, so that no two wait in a ring. */
export async function lockHolders(tx: Transaction, all: readonly Holder[]): Promise<void> {
  const [first] = all;
  if (!first) return;
  const ids = `{${all.map(({ member_id }) => member_id).join(",")}}`;
  await sql`select app.lock_holders(${first.service_provider_id}, ${first.merchant_id}, ${ids}::uuid[])`.execute(tx);
}
/** The same, where it does not matter whether they have left. */
export const waitForHolder = async (tx: Transaction, whose: Holder): Promise<Holder> => (await whoHolds(tx, whose)).holder;
/** The same, for what is given. @throws 409 `member.closed` where they have left */
export async function lockReceiver(tx: Transaction, whose: Holder): Promise<Holder> {
  const { holder, gone } = await whoHolds(tx, whose);
  if (gone) throw conflict("会员已注销", "member.closed");
  return holder;
}
/** The same. @returns the balances by kind; what was never moved is missing */
export const lockHolder = async (tx: Transaction, whose: Holder): Promise<Map<string, number>> =>
  balancesOf(tx, await waitForHolder(tx, whose));
/** What a member holds by kind, who is locked; what was never moved is missing. */
export async function balancesOf(tx: Transaction, { service_provider_id, merchant_id, member_id }: Holder): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom("value_accounts")
    .select(["kind", "balance"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("owner_id", "=", member_id)
    .execute();
  return new Map(rows.map(({ kind, balance }) => [kind, balance ?? 0]));
}
