import { postToBook, type Book } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Owner } from "./line.ts";

export type AccountKind = "fees" | "cost" | "kept" | "available" | "frozen" | "paid" | "withdrawal-fee";
/** What a posting moves: an account, which is made where it is not there yet, and signed cents. */
export interface Move {
  readonly kind: AccountKind;
  readonly receiver: "provider" | "agent" | "group" | "team" | "salesman";
  readonly owner: Owner;
  readonly amount_cents: number;
}
export interface CommissionEntry {
  readonly cause: "commission" | "withdrawal-hold" | "withdrawal-release" | "withdrawal-paid" | "withdrawal-returned";
  readonly withdrawal_id?: string;
  readonly occurred_at: string;
  /** Of a withdrawal's receiver; of commissions nobody's. */
  readonly owner?: Owner;
  readonly moves: readonly Move[];
}

/** The book of what a provider owes its receivers (docs/money.md). Its floors stand with the maker, in the database. */
export const CLAIMS: Book = {
  name: "commission",
  of: " of claims",
  by: ["receiver_id"],
  whose: ["agent_id", "business_group_id", "business_team_id", "salesman_id"],
  // A batch of fees that come to nothing for anybody.
  mayBeEmpty: ["commission"],
  unit: "_cents",
};
export const NOBODY = { agent_id: null, business_group_id: null, business_team_id: null, salesman_id: null } as const;
/** The provider itself, as the owner of an account. */
export const providerOwner = (provider: string): Owner => ({ ...NOBODY, receiver_id: provider });

/** Adds one entry to the book of claims. The database refuses it at commit unless it balances, and moves the balances itself. */
export async function postCommissionEntry(
  tx: Transaction,
  services: Pick<Services, "ids" | "clock">,
  provider: string,
  { cause, withdrawal_id, occurred_at, owner, moves }: CommissionEntry,
): Promise<string> {
  const { receiver_id: _id, ...fence } = owner ?? { ...NOBODY, receiver_id: provider };
  return postToBook(
    tx,
    CLAIMS,
    { ids: services.ids, now_ms: services.clock.now_ms() },
    provider,
    { ...fence, cause, withdrawal_id: withdrawal_id ?? null, occurred_at },
    moves.map(({ kind, receiver, owner: own, amount_cents }) => ({ kind, account: { receiver, ...own }, amount: amount_cents })),
  );
}
