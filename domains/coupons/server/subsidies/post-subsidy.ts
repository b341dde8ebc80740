import { sql } from "kysely";
import { type Book, postToBook } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** The book of subsidies: what a provider owes each merchant for its coupons (docs/money.md). */
export const SUBSIDY: Book = {
  name: "subsidy",
  of: " of subsidies",
  by: ["merchant_id"],
  whose: ["merchant_id"],
  mayBeEmpty: [],
  unit: "_cents",
};
interface Entry {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** The payment's order, the refund or the statement: once for each. */
  readonly cause_id: string;
}
const post = (
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, ...entry }: Entry & { readonly cause: string; readonly order_id: string | null },
  moves: readonly (readonly [kind: "owed" | "claim" | "settled", cents: number])[],
): Promise<string> => {
  const now_ms = services.clock.now_ms();
  const at = { merchant_id, occurred_at: new Date(now_ms).toISOString() };
  return postToBook(
    tx,
    SUBSIDY,
    { ids: services.ids, now_ms },
    service_provider_id,
    { ...entry, ...at },
    moves.map(([kind, amount]) => ({ kind, account: { merchant_id }, amount })),
  );
};

/** An order is paid that used the provider's coupons: the provider owes its part of what came off. Once more changes nothing. */
export async function earnSubsidy(
  tx: Transaction,
  services: Services,
  order: Omit<Entry, "cause_id"> & { readonly id: string },
): Promise<void> {
  const { id, service_provider_id, merchant_id } = order;
  const { rows } = await sql<{ cents: number }>`select coalesce(sum(u.provider_cents), 0)::bigint as cents from coupon_uses u
    where u.service_provider_id = ${service_provider_id} and u.order_id = ${id} and u.state = 'TAKEN' and not exists (select 1 from subsidy_entries e
      where e.service_provider_id = u.service_provider_id and e.cause = 'payment' and e.cause_id = u.order_id)`.execute(tx);
  const cents = rows[0]?.cents ?? 0;
  if (cents === 0) return;
  await post(tx, services, { service_provider_id, merchant_id, cause: "payment", cause_id: id, order_id: id }, [
    ["owed", -cents],
    ["claim", cents],
  ]);
}
/** A refund is done: the provider's part of what it gave back is owed no longer. Once more changes nothing. */
export async function takeBackSubsidy(
  tx: Transaction,
  services: Services,
  order: Omit<Entry, "cause_id"> & { readonly id: string },
  refund_id: string,
  cents: number,
): Promise<void> {
  if (cents === 0) return;
  const { id, service_provider_id, merchant_id } = order;
  const { rows } = await sql`select 1 from subsidy_entries e where e.service_provider_id = ${service_provider_id} and e.cause = 'refund'
    and e.cause_id = ${refund_id}`.execute(tx);
  if (rows.length > 0) return;
  await post(tx, services, { service_provider_id, merchant_id, cause: "refund", cause_id: refund_id, order_id: id }, [
    ["owed", cents],
    ["claim", -cents],
  ]);
}
/** A statement was paid and its merchant confirmed it. */
export async function settleSubsidy(tx: Transaction, services: Services, statement: Entry, cents: number): Promise<void> {
  await post(tx, services, { ...statement, cause: "settled", order_id: null }, [
    ["claim", -cents],
    ["settled", cents],
  ]);
}
