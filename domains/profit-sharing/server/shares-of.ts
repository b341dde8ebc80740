import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { failWords } from "../contract/index.ts";
import { shownAccount } from "./rows.ts";

/** A receiver's part of an order, for the money trace. */
export interface OrderShare {
  readonly id: string;
  readonly shareId: string;
  readonly shareNo: string;
  readonly receiver: string;
  readonly account: string;
  readonly relation: string;
  readonly ratio: number;
  readonly baseCents: number;
  readonly amountCents: number;
  readonly returnedCents: number;
  readonly returningCents: number;
  /** pending, success or closed: on its way, got, not got. */
  readonly state: "pending" | "success" | "closed";
  /** In words. */
  readonly failReason: string | null;
  readonly at: string;
}
/** Who got how much of an order and what came back of it, in the order in which it was shared; the last try of each share. */
export async function sharesOf(tx: Transaction, service_provider_id: string, order_id: string): Promise<OrderShare[]> {
  const found = await sql<OrderShare>`
    select l.id, s.id as "shareId", s.share_no as "shareNo", l.alias as receiver, ${shownAccount("l")} as account,
      l.relation, l.ratio, s.base_cents as "baseCents", l.amount_cents as "amountCents", l.returned_cents as "returnedCents", l.returning_cents as "returningCents",
      l.result as state, l.fail_reason as "failReason", coalesce(l.finished_at, s.sent_at, s.created_at) as at
    from sharing_lines l join sharing_orders s on s.service_provider_id = l.service_provider_id and s.id = l.sharing_id and s.channel_try = l.try
    where s.service_provider_id = ${service_provider_id} and s.order_id = ${order_id} order by s.created_at, s.id, l.position`.execute(tx);
  return found.rows.map((row) => ({ ...row, failReason: row.failReason === null ? null : failWords(row.failReason) }));
}
