import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { findOrder } from "../../contract/pay-orders.ts";
import { numberIs } from "./pay-order-filter.ts";

interface Found {
  readonly kind: "order" | "refund";
  readonly orderId: string;
  readonly refundId: string | null;
  readonly no: string;
  readonly storeName: string;
  readonly amountCents: number;
  readonly createdAt: string;
}
const storeName = (alias: string) =>
  sql`(select coalesce(s.short_name, '') from stores s where s.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)} and s.id = ${sql.ref(`${alias}.store_id`)})`;

/** 按单号查找: whatever number somebody holds in their hand, where it lives. */
export const findOrderRoute = implement(findOrder, async (ctx, { no }) => {
  const found = await sql<Found>`
    select * from (
      select 'refund' as kind, r.order_id as "orderId", r.id as "refundId", r.refund_no as no, coalesce(${storeName("r")}, '') as "storeName", r.amount_cents as "amountCents", r.created_at as "createdAt"
        from refunds r where (r.refund_no = ${no}) and ${inScope(ctx.scope, "r")}
      union all
      (select 'order', o.id, null, o.order_no, coalesce(${storeName("o")}, ''), o.gross_cents, o.created_at
        from pay_orders o where ${numberIs(ctx.scope, no)} and ${inScope(ctx.scope, "o")} order by o.created_at desc limit 10)
    ) as x order by kind desc, "createdAt" desc limit 10`.execute(ctx.tx);
  return { items: found.rows };
});
