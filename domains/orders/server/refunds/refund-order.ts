import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { refundOrder } from "../../contract/refunds.ts";
import type { RefundRow } from "../rows.ts";
import { askerOf, DECIDE } from "./asker.ts";
import { checkRefundPassword } from "./refund-guards.ts";
import { reserveRefund } from "./reserve-refund.ts";

/**
 * Asks for a refund of an order in sight, as the caller: the merchant's password, the limits, the reserve, the note for the
 * record. Whoever else knows what is given back (lines of goods) writes it beside, in the same transaction.
 * @throws 400 and 404
 */
export async function askRefund(
  ctx: Ctx,
  { requestId, orderId, amountCents, reason, refundPassword }: ParsedOf<typeof refundOrder>,
): Promise<RefundRow> {
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
  return refund;
}

/** 退款: reserves the amount and answers; the channel is asked after the commit. Above the limit it waits for approval. */
export const refundOrderRoute = implement(refundOrder, async (ctx, input) => {
  const refund = await askRefund(ctx, input);
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status as 0 | 1 };
});
