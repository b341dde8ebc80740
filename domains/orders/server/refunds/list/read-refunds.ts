import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { listPage, type Asked, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { refundStatus, type RefundStatus, requestState } from "../../../contract/codes.ts";
import { getRefund, listRefundRequests, listRefunds, summariseRefundRequests, summariseRefunds } from "../../../contract/refunds.ts";
import { refundColumns, refundJoins, withRefundAbilities, type RefundFound } from "./refund-columns.ts";
import { type RefundFilter, type refundRequestInput, refundRequestsWhere, refundsWhere, requestStateOf } from "./refund-filter.ts";

const listed = (where: RawBuilder<boolean>): Listed => ({
  columns: refundColumns,
  from: sql`refunds r ${refundJoins}`,
  counted: sql`refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id`,
  where,
  order: "r.created_at",
});
/** The lists of refunds and of requests, for screen and file. */
export const refundsListed = (scope: Scope, filter: RefundFilter): Listed => listed(refundsWhere(scope, filter));
export const requestsListed = (scope: Scope, filter: z.output<typeof refundRequestInput>): Listed =>
  listed(refundRequestsWhere(scope, filter));

/** 支付退款订单: one page, newest first, with what each row allows. */
export const listRefundsRoute = implement(listRefunds, (ctx, input) => refundPage(ctx, input, refundsListed(ctx.scope, input)));

/** 退款详情. */
export const getRefundRoute = implement(getRefund, async (ctx, { id }) => {
  const found =
    await sql<RefundFound>`select ${refundColumns} from refunds r ${refundJoins} where r.id = ${id} and ${inScope(ctx.scope, "r")}`.execute(
      ctx.tx,
    );
  const [refund] = withRefundAbilities(ctx, found.rows);
  if (!refund) throw notFound("退款");
  return refund;
});

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

/** 退款申请: refunds above the merchant's limit, those that wait and those that were decided. */
export const listRefundRequestsRoute = implement(listRefundRequests, (ctx, input) =>
  refundPage(ctx, input, requestsListed(ctx.scope, input)),
);

/** 退款申请合计: the tabs' counts are of every state, the sum of the one that is chosen. */
export const summariseRefundRequestsRoute = implement(summariseRefundRequests, async (ctx, filter) => {
  const { rows } = await sql<{ state: string; count: number; cents: number }>`
    select ${requestStateOf} as state, count(*)::int as count, sum(r.amount_cents)::bigint as cents from refunds r
    where ${refundRequestsWhere(ctx.scope, filter, true)} group by 1`.execute(ctx.tx);
  const chosen = rows.filter(({ state }) => filter.state === undefined || state === filter.state);
  return {
    count: chosen.reduce((sum, { count }) => sum + count, 0),
    amountCents: chosen.reduce((sum, { cents }) => sum + cents, 0),
    perState: requestState.values.map((status) => ({ status, count: rows.find(({ state }) => state === status)?.count ?? 0 })),
  };
});

async function refundPage(ctx: Ctx, input: Asked<RefundFound>, listed: Listed) {
  const { items, ...rest } = await listPage<RefundFound>(ctx.tx, input, listed);
  return { items: withRefundAbilities(ctx, items), ...rest };
}
