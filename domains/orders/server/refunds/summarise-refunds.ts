import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { refundStatus, type RefundStatus } from "../../contract/codes.ts";
import { summariseRefunds } from "../../contract/refunds.ts";
import { refundsWhere } from "./refund-filter.ts";

/** 支付退款合计: over the whole filter. The tabs' counts are of every status, the sums of the one that is chosen. */
export const summariseRefundsRoute = implement(summariseRefunds, async (ctx, filter) => {
  const found = await sql<{ status: RefundStatus; count: number; amountCents: number; feeCents: number }>`
    select r.status, count(*)::int as count, sum(r.amount_cents)::bigint as "amountCents", sum(r.fee_cents)::bigint as "feeCents"
    from refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id
    where ${refundsWhere(ctx.scope, filter, true)} group by r.status`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.status === undefined || row.status === filter.status);
  const done = chosen.find((row) => row.status === 2);
  return {
    count: chosen.reduce((sum, row) => sum + row.count, 0),
    amountCents: chosen.reduce((sum, row) => sum + row.amountCents, 0),
    doneCount: done?.count ?? 0,
    doneCents: done?.amountCents ?? 0,
    doneFeeCents: done?.feeCents ?? 0,
    perStatus: refundStatus.values.map((status) => ({ status, count: found.rows.find((row) => row.status === status)?.count ?? 0 })),
  };
});
