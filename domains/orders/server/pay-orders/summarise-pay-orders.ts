import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { orderStatus, type OrderStatus } from "../../contract/codes.ts";
import { summarisePayOrders } from "../../contract/pay-orders.ts";
import { payOrdersWhere } from "./pay-order-filter.ts";

interface Sums {
  readonly status: OrderStatus;
  readonly count: number;
  readonly paidCount: number;
  readonly grossCents: number;
  readonly discountCents: number;
  readonly storedValueCents: number;
  readonly paidCents: number;
  readonly refundedCents: number;
  readonly feeCents: number;
}
const SUMMED = ["count", "paidCount", "grossCents", "discountCents", "storedValueCents", "paidCents", "refundedCents", "feeCents"] as const;

/** 支付订单合计: over the whole filter. The tabs' counts are of every status, the sums of the one that is chosen. */
export const summarisePayOrdersRoute = implement(summarisePayOrders, async (ctx, filter) => {
  const found = await sql<Sums>`
    select o.status, count(*)::int as count, count(o.paid_at)::int as "paidCount",
      coalesce(sum(o.gross_cents) filter (where o.paid_at is not null), 0)::bigint as "grossCents",
      coalesce(sum(o.discount_cents) filter (where o.paid_at is not null), 0)::bigint as "discountCents",
      coalesce(sum(o.stored_value_cents) filter (where o.paid_at is not null), 0)::bigint as "storedValueCents",
      coalesce(sum(o.paid_cents) filter (where o.paid_at is not null), 0)::bigint as "paidCents",
      sum(o.refunded_cents)::bigint as "refundedCents", sum(o.fee_cents)::bigint as "feeCents"
    from pay_orders o where ${payOrdersWhere(ctx.scope, filter, true)} group by o.status`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  const sum = (key: (typeof SUMMED)[number]) => chosen.reduce((total, row) => total + row[key], 0);
  const perStatus = orderStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 }));
  return {
    count: sum("count"),
    paidCount: sum("paidCount"),
    grossCents: sum("grossCents"),
    discountCents: sum("discountCents"),
    storedValueCents: sum("storedValueCents"),
    paidCents: sum("paidCents"),
    refundedCents: sum("refundedCents"),
    feeCents: sum("feeCents"),
    perStatus,
  };
});
