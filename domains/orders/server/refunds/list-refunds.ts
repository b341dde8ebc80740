import { sql, type RawBuilder } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listRefundRequests, listRefunds } from "../../contract/refunds.ts";
import { all, narrowed, wholeNumber } from "../filter.ts";
import { refundColumns, refundJoins, withRefundAbilities, type RefundFound } from "./refund-columns.ts";
import { createdDuring, refundNumberIs, refundsWhere } from "./refund-filter.ts";

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
export const listRefundRequestsRoute = implement(
  listRefundRequests,
  async (ctx, { cursor, pageSize, sort, withTotal, keyword, state, ...filter }) => {
    const where = all([
      inScope(ctx.scope, "r"),
      sql`r.above_limit`,
      narrowed(filter, "r"),
      keyword ? refundNumberIs(keyword) : undefined,
      keyword && wholeNumber(keyword) ? undefined : createdDuring(filter, "r"),
      state === "pending"
        ? sql`r.status = 0`
        : state === "rejected"
          ? sql`r.status = 4`
          : state === "cancelled"
            ? sql`r.status = 5`
            : state === "approved"
              ? sql`r.status in (1, 2, 3)`
              : undefined,
    ]);
    return listPage(ctx, where, { cursor, pageSize, sort, withTotal });
  },
);

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
