import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askRefund, previewOf } from "../../../orders/server/index.ts";
import { previewMallRefund, refundMallLines } from "../../contract/index.ts";
import { worthOfLines } from "./worth-of-lines.ts";

/** 商城退款试算: what the lines are worth, and what a refund of so much would do. Nothing is held. */
export const previewMallRefundRoute = implement(previewMallRefund, async (ctx, { id, lines }) => {
  const found = await sql<{ service_provider_id: string; orderId: string }>`
    select x.service_provider_id, x.order_id as "orderId" from mall_orders x where x.id = ${id} and ${inScope(ctx.scope, "x", "store")}`.execute(
    ctx.tx,
  );
  const [order] = found.rows;
  if (!order) throw notFound("商城订单");
  return previewOf(ctx, order.orderId, { cents: await worthOfLines(ctx.tx, { ...order, id }, lines, false) });
});

/**
 * 商城退款: amounts of lines, through the one way of every refund. The order is held, so that two refunds of one line count
 * one after the other; what the pay order still has is guarded once more where the amount is reserved.
 */
export const refundMallLinesRoute = implement(refundMallLines, async (ctx, { id, lines, requestId, reason, refundPassword }) => {
  const found = await sql<{ service_provider_id: string; merchant_id: string; store_id: string; order_id: string }>`
    select x.service_provider_id, x.merchant_id, x.store_id, x.order_id from mall_orders x
    where x.id = ${id} and ${inScope(ctx.scope, "x", "store")} for update`.execute(ctx.tx);
  const order = found.rows[0];
  if (!order) throw notFound("商城订单");
  const { service_provider_id, merchant_id, store_id, order_id: orderId } = order;
  const amountCents = (await worthOfLines(ctx.tx, { service_provider_id, id, orderId }, lines)) as never;
  const lineRows = (refund_id: string) =>
    lines.map(({ lineId: line_id, amountCents: amount_cents }) => ({
      service_provider_id,
      merchant_id,
      store_id,
      line_id,
      amount_cents,
      refund_id,
      mall_order_id: id,
    }));
  const asked = { requestId, orderId, amountCents, reason, refundPassword };
  const refund = await askRefund(ctx, asked, {
    write: async (tx, { id: refund_id }) => void (await tx.insertInto("mall_refund_lines").values(lineRows(refund_id)).execute()),
  });
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status as 0 | 1 | 2 };
});
