import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { getTillRefund, type tillRefund } from "../../contract/till.ts";
import type { RefundRow } from "../rows.ts";
import { storeOf } from "./till-order.ts";

/** 收银查退款: by the number that the till gave its request. */
export const getTillRefundRoute = implement(getTillRefund, async (ctx, { requestId }) => {
  const { service_provider_id, store_id } = storeOf(ctx.scope);
  const refund = await ctx.tx
    .selectFrom("refunds")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("request_id", "=", requestId)
    .where("store_id", "=", store_id)
    .executeTakeFirst();
  if (!refund) throw notFound("退款");
  const order = await ctx.tx
    .selectFrom("pay_orders")
    .select("till_no")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", refund.order_id)
    .executeTakeFirst();
  return refundView(refund, order?.till_no ?? "");
});

export function refundView(refund: RefundRow, tillNo: string): z.input<typeof tillRefund> {
  return {
    requestId: refund.request_id,
    refundNo: refund.refund_no,
    tillNo,
    amountCents: refund.value_cents,
    moneyCents: refund.amount_cents,
    principalCents: refund.principal_cents,
    giftCents: refund.gift_cents,
    pointsBack: refund.points_back,
    status: refund.status as 0 | 1 | 2 | 3 | 4,
    // Turned down, it says why.
    failure: refund.status === 4 ? refund.decision_note : refund.failure,
    createdAt: refund.created_at,
    finishedAt: refund.finished_at,
  };
}
