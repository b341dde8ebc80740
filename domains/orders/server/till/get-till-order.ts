import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { getTillOrder } from "../../contract/till.ts";
import { findTillOrder, storeOf, viewOf } from "./till-order.ts";

/** 收银查单: what we know of an order of this store; notifications and queries keep it fresh. */
export const getTillOrderRoute = implement(getTillOrder, async (ctx, { tillNo }) => {
  const order = await findTillOrder(ctx.tx, storeOf(ctx.scope), tillNo);
  if (!order) throw notFound("订单");
  return viewOf(order);
});
