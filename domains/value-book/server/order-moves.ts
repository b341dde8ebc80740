import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ValueCause } from "../contract.ts";

/** What one entry about an order changed of what its member holds: cents of principal and gift, and points. */
export interface OrderMove {
  readonly cause: ValueCause;
  readonly at: string;
  readonly principal_cents: number;
  readonly gift_cents: number;
  readonly points: number;
}
/**
 * What an order and its refunds changed of what its member holds, in the order of the book; setting aside and letting go change nothing. Points
 * that a gift gave stand with the gift, and so do those that are taken back of it.
 */
export async function orderMoves(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
): Promise<OrderMove[]> {
  const { rows } = await sql<OrderMove>`select x.cause, x.at, x.principal_cents, x.gift_cents, x.points from (
      select e.seq, e.cause, e.occurred_at as at, coalesce(sum(p.amount) filter (where a.kind in ('principal', 'principal-held')), 0)::bigint as principal_cents,
        coalesce(sum(p.amount) filter (where a.kind in ('gift', 'gift-held')), 0)::bigint as gift_cents,
        coalesce(sum(p.amount) filter (where a.kind in ('points', 'points-pending', 'points-held', 'points-debt')), 0)::bigint as points
      from value_entries e
      join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
      join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
      where e.service_provider_id = ${service_provider_id} and e.order_id = ${id} and (e.cause <> 'points-claw' or e.refund_id is not null)
      group by e.service_provider_id, e.id) x
    where (x.principal_cents, x.gift_cents, x.points) <> (0, 0, 0) order by x.seq`.execute(tx);
  return rows;
}
