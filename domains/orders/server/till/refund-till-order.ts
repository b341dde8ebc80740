import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { refundBack } from "../../contract/refunds.ts";
import { previewTillRefund, refundTillOrder } from "../../contract/till.ts";
import { cashierToRefund } from "../../../cashiers/server/index.ts";
import { cutOf } from "../refunds/hold-amount.ts";
import { previewParties } from "../refunds/preview-refund.ts";
import { askOf, mayReverse } from "../refunds/refund-routes.ts";
import { reserveRefund } from "../refunds/refund-story.ts";
import { lockOrder } from "../rows.ts";
import { findTillOrder, storeOf } from "./till-order.ts";
import { refundView } from "./get-till-refund.ts";

/** 收银退款: the same way as from the office, for an order of the device's own store. */
export const refundTillOrderRoute = implement(
  refundTillOrder,
  async (ctx, { requestId, tillNo, reason, cashierCode, vouchers, ...asked }) => {
    const { tx, services, now_ms } = ctx;
    const store = storeOf(ctx.scope);
    const found = await findTillOrder(tx, store, tillNo);
    const order = found && (await lockOrder(tx, found));
    if (!order) throw notFound("订单");
    const ask = askOf(asked);
    // The cashier's limits go by value: what units are worth is known by their cut alone.
    const amount_cents = "cents" in ask ? ask.cents : (await cutOf(tx, order, ask, (vouchers?.length ?? 0) > 0)).value_cents;
    const cashier_id = await cashierToRefund(tx, { ...store, device_id: ctx.principal.id }, cashierCode, { amount_cents, now_ms });
    const refund = await reserveRefund(tx, services, {
      order,
      request_id: requestId,
      ask,
      reason,
      requested_by: null,
      requested_by_name: ctx.principal.name,
      device_id: ctx.principal.id,
      cashier_id,
      mayDecide: false,
      vouchers: { vouchers, mayReverse: mayReverse(ctx) },
    });
    ctx.note({
      targetKind: "refund",
      targetId: refund.id,
      after: { refundNo: refund.refund_no, tillNo, amountCents: refund.value_cents, reason, status: refund.status },
    });
    return refundView(refund, tillNo);
  },
);

/** 收银退款试算: what would go back, of everything that the customer brought. */
export const previewTillRefundRoute = implement(previewTillRefund, async (ctx, { tillNo, vouchers, ...asked }) => {
  const order = await findTillOrder(ctx.tx, storeOf(ctx.scope), tillNo);
  if (!order) throw notFound("订单");
  const parties = await previewParties(ctx, order, askOf(asked), vouchers);
  const { feeBackCents, sharesBackCents, refusal } = parties;
  return { ...refundBack.parse(parties), feeCents: feeBackCents, shares: sharesBackCents, refusal };
});
