import { sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ledgerEntry } from "../contract.ts";

/** The entries of an order with their lines, in the order in which they were made. */
export async function ledgerOf(tx: Transaction, service_provider_id: string, order_id: string): Promise<z.input<typeof ledgerEntry>[]> {
  const found = await sql<z.input<typeof ledgerEntry>>`
    select e.id, e.cause, e.refund_id as "refundId", e.occurred_at as "occurredAt",
      (select coalesce(json_agg(json_build_object('account', a.kind, 'amountCents', p.amount_cents) order by a.kind), '[]')
        from ledger_postings p join ledger_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
        where p.service_provider_id = e.service_provider_id and p.entry_id = e.id) as lines
    from ledger_entries e where e.service_provider_id = ${service_provider_id} and e.order_id = ${order_id} order by e.seq`.execute(tx);
  return found.rows;
}
