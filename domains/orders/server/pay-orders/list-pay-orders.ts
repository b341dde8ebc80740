import { sql } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { listPayOrders } from "../../contract/pay-orders.ts";
import { payOrderColumns, payOrderNames, withAbilities, type PayOrderFound } from "./pay-order-columns.ts";
import { type payOrderInput, payOrdersWhere } from "./pay-order-filter.ts";

/** The list of pay orders, for screen and file. */
export const payOrdersListed = (scope: Scope, filter: z.output<typeof payOrderInput>): Listed => ({
  columns: payOrderColumns,
  from: sql`pay_orders o ${payOrderNames}`,
  counted: sql`pay_orders o`,
  where: payOrdersWhere(scope, filter),
  order: "o.created_at",
});

/** 支付订单: one page, newest first, with what each row allows. */
export const listPayOrdersRoute = implement(listPayOrders, async (ctx, input) => {
  const { items, ...rest } = await listPage<PayOrderFound>(ctx.tx, input, payOrdersListed(ctx.scope, input));
  return { items: withAbilities(ctx, items), ...rest };
});
