import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import { listPage, type Asked, type Listed } from "@zhangfang/server/list-page.ts";
import type { Scope } from "@zhangfang/server/scope.ts";
import { requestState } from "../../contract/codes.ts";
import { listRefundRequests, listRefunds, summariseRefundRequests } from "../../contract/refunds.ts";
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
