import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { listPage } from "@zhangfang/server/list-page.ts";
import { listPayOrders } from "../../contract/pay-orders.ts";
import { payOrderColumns, payOrderNames, withAbilities, type PayOrderFound } from "./pay-order-columns.ts";
import { payOrdersWhere } from "./pay-order-filter.ts";

/** 支付订单: one page, newest first, with what each row allows. */
export const listPayOrdersRoute = implement(listPayOrders, async (ctx, input) => {
  const { items, ...rest } = await listPage<PayOrderFound>(ctx.tx, input, {
    columns: payOrderColumns,
    from: sql`pay_orders o ${payOrderNames}`,
    counted: sql`pay_orders o`,
    where: payOrdersWhere(ctx.scope, input),
    order: "o.created_at",
  });
  return { items: withAbilities(ctx, items), ...rest };
});
