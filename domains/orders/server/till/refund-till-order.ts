import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { refundTillOrder } from "../../contract/till.ts";
import { cashierToRefund } from "../../../cashiers/server/index.ts";
import { reserveRefund } from "../refunds/refund-story.ts";
import { findTillOrder, storeOf } from "./till-order.ts";
import { refundView } from "./get-till-refund.ts";

/** 收银退款: the same way as from the office, for an order of the device's own store. */
export const refundTillOrderRoute = implement(refundTillOrder, async (ctx, { requestId, tillNo, amountCents, reason, cashierCode }) => {
  const store = storeOf(ctx.scope);
  const order = await findTillOrder(ctx.tx, store, tillNo);
  if (!order) throw notFound("订单");
  const asked = { amount_cents: amountCents, now_ms: ctx.now_ms };
  const cashier_id = await cashierToRefund(ctx.tx, { ...store, device_id: ctx.principal.id }, cashierCode, asked);
  const refund = await reserveRefund(ctx.tx, ctx.services, {
    order,
    request_id: requestId,
    amount_cents: amountCents,
    reason,
    requested_by: null,
    requested_by_name: ctx.principal.name,
    device_id: ctx.principal.id,
    cashier_id,
    mayDecide: false,
  });
  ctx.note({
    targetKind: "refund",
    targetId: refund.id,
    after: { refundNo: refund.refund_no, tillNo, amountCents, reason, status: refund.status },
  });
  return refundView(refund, tillNo);
});
