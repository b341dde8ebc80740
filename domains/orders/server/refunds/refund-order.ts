import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { refundOrder } from "../../contract/refunds.ts";
import { askerOf, DECIDE } from "./asker.ts";
import { checkRefundPassword } from "./refund-guards.ts";
import { reserveRefund } from "./reserve-refund.ts";

/** 退款: reserves the amount and answers; the channel is asked after the commit. Above the limit it waits for approval. */
export const refundOrderRoute = implement(refundOrder, async (ctx, { requestId, orderId, amountCents, reason, refundPassword }) => {
  const order = await ctx.tx
    .selectFrom("pay_orders as o")
    .select(["o.service_provider_id", "o.id", "o.merchant_id"])
    .where("o.id", "=", orderId)
    .where(inScope(ctx.scope, "o"))
    .executeTakeFirst();
  if (!order) throw notFound("订单");
  await checkRefundPassword(ctx.tx, order, refundPassword);
  const asker = askerOf(ctx);
  const refund = await reserveRefund(ctx.tx, ctx.services, {
    order,
    request_id: requestId,
    amount_cents: amountCents,
    reason,
    requested_by: asker.id,
    requested_by_name: asker.name,
    mayDecide: ctx.principal.holds([DECIDE]),
  });
  ctx.note({
    targetKind: "refund",
    targetId: refund.id,
    provider: order.service_provider_id,
    merchant: order.merchant_id,
    after: { refundNo: refund.refund_no, orderId, amountCents, reason, status: refund.status },
  });
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status as 0 | 1 };
});
