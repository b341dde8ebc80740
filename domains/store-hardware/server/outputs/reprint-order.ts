import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { reprintOrder } from "../../contract/index.ts";
import { queueOutput } from "./write-output.ts";

/** 补打小票: on every printer of the order's store, whatever they print by themselves. */
export const reprintOrderRoute = implement(reprintOrder, async (ctx, { orderId }) => {
  const order = await ctx.tx
    .selectFrom("pay_orders as o")
    .select(["o.service_provider_id", "o.id", "o.store_id", "o.order_no", "o.paid_at"])
    .where("o.id", "=", orderId)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  if (!order) throw notFound("订单");
  if (order.paid_at === null) throw conflict("订单没有支付，不能打印小票");
  const printers = await ctx.tx
    .selectFrom("store_hardware")
    .select(["service_provider_id", "merchant_id", "store_id", "id", "kind"])
    .where("service_provider_id", "=", order.service_provider_id)
    .where("store_id", "=", order.store_id)
    .where("kind", "=", "printer")
    .where("state", "=", "bound")
    .execute();
  if (printers.length === 0) throw conflict("订单所在门店没有绑定云打印机", "printer.missing");
  for (const printer of printers)
    await queueOutput(ctx.tx, ctx.services, printer, { cause: "reprint", order_id: order.id, by: ctx.principal.name });
  ctx.note({ targetKind: "pay_order", targetId: order.id, after: { orderNo: order.order_no, printers: printers.length } });
  return { printers: printers.length };
});
