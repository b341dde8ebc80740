import { sql } from "kysely";
import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { mallLine } from "../contract/index.ts";

/**
 * The lines of an order with what of each is given back or on its way, and what is left; goods first, the delivery last.
 * A failed refund holds its part, because it may be sent again; a rejected one does not.
 */
export async function linesOf(tx: Transaction, provider: string, mall_order_id: string): Promise<z.input<typeof mallLine>[]> {
  const found = await sql<z.input<typeof mallLine>>`
    select l.id, l.goods_no as "goodsNo", l.name, l.quantity, l.unit_cents as "unitCents", l.discount_cents as "discountCents",
      l.amount_cents as "amountCents", t.cents as "takenCents", l.amount_cents - t.cents as "leftCents"
    from mall_order_lines l cross join lateral (
      select coalesce(sum(b.amount_cents), 0)::bigint as cents from mall_refund_lines b
      join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id and r.status not in (4, 5)
      where b.service_provider_id = l.service_provider_id and b.mall_order_id = l.mall_order_id and b.line_id = l.id) t
    where l.service_provider_id = ${provider} and l.mall_order_id = ${mall_order_id} order by l.place = 0, l.place`.execute(tx);
  return found.rows;
}
