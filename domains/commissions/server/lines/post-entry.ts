import type { Transaction } from "@zhangfang/server/db.ts";
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

const FLOORLESS: readonly AccountKind[] = ["fees", "available"];
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
  const now_ms = services.clock.now_ms();
  const there = moves.filter(({ amount_cents }) => amount_cents !== 0);
  const accounts = await openAccounts(tx, services, provider, there);
  const { receiver_id: _id, ...fence } = owner ?? { ...NOBODY, receiver_id: provider };
  const entry_id = services.ids.uuid(now_ms);
  await tx
    .insertInto("commission_entries")
    .values({ service_provider_id: provider, id: entry_id, ...fence, cause, withdrawal_id: withdrawal_id ?? null, occurred_at })
    .execute();
  // In id order, so that two entries lock the accounts in the same order.
  const postings = there
    .map(({ kind, owner: { receiver_id, ...own }, amount_cents }) => ({
      service_provider_id: provider,
      entry_id,
      account_id: accounts.get(`${kind}:${receiver_id}`) ?? "",
      ...own,
      amount_cents,
      balance_after_cents: 0,
    }))
    .toSorted((a, b) => (a.account_id < b.account_id ? -1 : 1));
  if (postings.length > 0) await tx.insertInto("commission_postings").values(postings).execute();
  return entry_id;
}

async function openAccounts(
  tx: Transaction,
  services: Pick<Services, "ids" | "clock">,
  provider: string,
  moves: readonly Move[],
): Promise<Map<string, string>> {
  if (moves.length === 0) return new Map();
  const find = async () => {
    const rows = await tx
      .selectFrom("commission_accounts")
      .select(["kind", "receiver_id", "id"])
      .where("service_provider_id", "=", provider)
      .where("receiver_id", "in", [...new Set(moves.map(({ owner }) => owner.receiver_id))])
      .execute();
    return new Map(rows.map((row) => [`${row.kind}:${row.receiver_id}`, row.id]));
  };
  const found = await find();
  const missing = moves
    .filter(({ kind, owner }) => !found.has(`${kind}:${owner.receiver_id}`))
    .toSorted((a, b) => (`${a.owner.receiver_id}:${a.kind}` < `${b.owner.receiver_id}:${b.kind}` ? -1 : 1));
  if (missing.length === 0) return found;
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("commission_accounts")
    .values(
      missing.map(({ kind, receiver, owner }) => ({
        service_provider_id: provider,
        id: services.ids.uuid(now_ms),
        kind,
        receiver,
        ...owner,
        floor_cents: FLOORLESS.includes(kind) ? null : 0,
      })),
    )
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "receiver_id", "kind"]).doNothing())
    .execute();
  return find();
}
