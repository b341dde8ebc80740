import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listPayOrders } from "../../contract/pay-orders.ts";
import { payOrderColumns, payOrderNames, withAbilities, type PayOrderFound } from "./pay-order-columns.ts";
import { payOrdersWhere } from "./pay-order-filter.ts";

/** 支付订单: one page, newest first, with what each row allows. */
export const listPayOrdersRoute = implement(listPayOrders, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const where = payOrdersWhere(ctx.scope, filter);
  const direction = sql.raw(descending ? "desc" : "asc");
  const found = await sql<PayOrderFound>`
    select ${payOrderColumns} from pay_orders o ${payOrderNames}
    where ${where} and ${after(cursor, "o.created_at", "o.id", "timestamptz", descending)}
    order by o.created_at ${direction}, o.id ${direction} limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const { items, next } = page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items: withAbilities(ctx, items), next };
  const total = await countRows(ctx.tx, sql`pay_orders o where ${where}`);
  return { items: withAbilities(ctx, items), next, total };
});
