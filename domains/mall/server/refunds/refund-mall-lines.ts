import { sql } from "kysely";
import { proportion, yuan } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/call.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { invalid, notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { askRefund } from "../../../orders/server/index.ts";
import { refundMallLines } from "../../contract/index.ts";
import { linesOf } from "../mall-lines.ts";

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
  const own = new Map((await linesOf(ctx.tx, service_provider_id, id)).map((line) => [line.id, line]));
  for (const [n, { lineId, amountCents }] of lines.entries()) {
    const line = own.get(lineId);
    if (!line) throw notFound("商品");
    if (amountCents > line.leftCents) throw invalid(`lines.${n}.amountCents`, `「${line.name}」最多可退 ${yuan(line.leftCents)} 元`);
  }
  const given = lines.reduce((sum, one) => sum + one.amountCents, 0);
  const left = [...own.values()].reduce((sum, line) => sum + line.leftCents, 0);
  const amountCents = (await moneyOf(ctx.tx, order, given, given === left)) as never;
  const refund = await askRefund(ctx, { requestId, orderId, amountCents, reason, refundPassword });
  await ctx.tx
    .insertInto("mall_refund_lines")
    .values(
      lines.map(({ lineId: line_id, amountCents: amount_cents }) => ({
        service_provider_id,
        merchant_id,
        store_id,
        line_id,
        amount_cents,
        refund_id: refund.id,
        mall_order_id: id,
      })),
    )
    .execute();
  return { refundId: refund.id, refundNo: refund.refund_no, status: refund.status as 0 | 1 };
});

/**
 * What lines are worth in money: where the channel took free coupons off, the customer paid so much less than the lines say. What
 * empties the lines takes what is left of the money. A failed refund of lines holds them, and so its money too, though the pay order
 * has it back until it is sent again.
 */
async function moneyOf(
  tx: Transaction,
  { service_provider_id, order_id }: { readonly service_provider_id: string; readonly order_id: string },
  lines_cents: number,
  whole: boolean,
): Promise<number> {
  const order = await tx
    .selectFrom("pay_orders")
    .select(["paid_cents", "free_coupon_cents", "refunded_cents", "refunding_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", order_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { paid_cents, free_coupon_cents } = order;
  if (free_coupon_cents === 0) return lines_cents;
  const { rows } = await sql<{ held: number }>`select coalesce(sum(r.amount_cents), 0)::bigint as held from refunds r
    where r.service_provider_id = ${service_provider_id} and r.order_id = ${order_id} and r.status = 3
      and exists (select from mall_refund_lines b where b.service_provider_id = r.service_provider_id and b.refund_id = r.id)`.execute(tx);
  const left = paid_cents - order.refunded_cents - order.refunding_cents - (rows[0]?.held ?? 0);
  return whole ? left : Math.min(left, proportion(paid_cents, lines_cents, paid_cents + free_coupon_cents));
}
