import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { refundTillOrder } from "../../contract/till.ts";
import { reserveRefund } from "../refunds/reserve-refund.ts";
import { findTillOrder, storeOf } from "./till-order.ts";
import { refundView } from "./get-till-refund.ts";

/** 收银退款: the same way as from the office, for an order of the device's own store. */
export const refundTillOrderRoute = implement(refundTillOrder, async (ctx, { requestId, tillNo, amountCents, reason }) => {
  const order = await findTillOrder(ctx.tx, storeOf(ctx.scope), tillNo);
  if (!order) throw notFound("订单");
  const refund = await reserveRefund(ctx.tx, ctx.services, {
    order,
    request_id: requestId,
    amount_cents: amountCents,
    reason,
    requested_by: null,
    requested_by_name: ctx.principal.name,
    device_id: ctx.principal.id,
    mayDecide: false,
  });
  ctx.note({
    targetKind: "refund",
    targetId: refund.id,
    after: { refundNo: refund.refund_no, tillNo, amountCents, reason, status: refund.status },
  });
  return refundView(refund, tillNo);
});
