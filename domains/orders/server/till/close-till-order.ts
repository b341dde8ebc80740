import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { closeTillOrder } from "../../contract/till.ts";
import { endPayment } from "../payments/chase-payment.ts";
import { findTillOrder, showTillOrder, storeOf } from "./till-order.ts";

/** 收银关单: closed at the channel first and then here; a payment that raced in wins. Repeating it changes nothing. */
export const closeTillOrderRoute = implement(closeTillOrder, async (ctx, { tillNo }) => {
  const order = await ctx.transaction(async (tx) => {
    const found = await findTillOrder(tx, storeOf(ctx.scope), tillNo);
    if (!found) throw notFound("订单");
    if (found.status === 0) await ctx.audit(tx, { targetKind: "pay_order", targetId: found.id, before: { status: 0 } });
    return found;
  });
  if (order.status === 0) await endPayment(ctx.services, order);
  return showTillOrder(ctx, tillNo);
});
