import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { getTillOrder } from "../../contract/till.ts";
import { askForWaiting } from "../payments/chase-payment.ts";
import { findTillOrder, showTillOrder, storeOf } from "./till-order.ts";

/** 收银查单: an order of this store as it is; while it is open the channel is asked, for its notification may be lost. */
export const getTillOrderRoute = implement(getTillOrder, async (ctx, { tillNo }) => {
  const order = await ctx.transaction((tx) => findTillOrder(tx, storeOf(ctx.scope), tillNo), { readOnly: true });
  if (!order) throw notFound("订单");
  if (order.status === 0) await askForWaiting(ctx.services, order);
  return showTillOrder(ctx, tillNo);
});
