import { sql, type RawBuilder } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { requestState } from "../../contract/codes.ts";
import { listRefundRequests, listRefunds, summariseRefundRequests } from "../../contract/refunds.ts";
import { refundColumns, refundJoins, withRefundAbilities, type RefundFound } from "./refund-columns.ts";
import { refundRequestsWhere, refundsWhere, requestStateOf } from "./refund-filter.ts";

interface Paging {
  readonly cursor?: string | undefined;
  readonly pageSize: number;
  readonly sort: "-createdAt" | "createdAt";
  readonly withTotal?: boolean | undefined;
}

/** 支付退款订单: one page, newest first, with what each row allows. */
export const listRefundsRoute = implement(listRefunds, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) =>
  listPage(ctx, refundsWhere(ctx.scope, filter), { cursor, pageSize, sort, withTotal }),
);

/** 退款申请: refunds above the merchant's limit, those that wait and those that were decided. */
export const listRefundRequestsRoute = implement(listRefundRequests, (ctx, { cursor, pageSize, sort, withTotal, ...filter }) =>
  listPage(ctx, refundRequestsWhere(ctx.scope, filter), { cursor, pageSize, sort, withTotal }),
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

async function listPage(ctx: Ctx, where: RawBuilder<boolean>, { cursor, pageSize, sort, withTotal }: Paging) {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const found = await sql<RefundFound>`
    select ${refundColumns} from refunds r ${refundJoins}
    where ${where} and ${after(cursor, "r.created_at", "r.id", "timestamptz", descending)}
    order by r.created_at ${direction}, r.id ${direction} limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const { items, next } = page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items: withRefundAbilities(ctx, items), next };
  const total = await countRows(
    ctx.tx,
    sql`refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id where ${where}`,
  );
  return { items: withRefundAbilities(ctx, items), next, total };
}
