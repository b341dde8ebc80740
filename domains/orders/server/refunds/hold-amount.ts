import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/db.ts";
import { invalid, notFound } from "@zhangfang/server/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { feeBack } from "../../../money/server/index.ts";
import type { OrderRow, Ref } from "../rows.ts";
import { MOST_REFUNDS, planRefund, refundableSince } from "./refund-rules.ts";

/**
 * One guarded UPDATE holds the amount: whatever races, refunded and refunding together never exceed what was paid.
 * @param count 1 for a new refund, 0 where it is counted already
 * @param late the channel has done it already, however long ago the payment is
 * @throws 400 with the reason, 404 where the order is not in sight
 */
export async function holdAmount(
  tx: Transaction,
  services: Services,
  ref: Ref,
  { amount_cents, count, late = false }: { amount_cents: number; count: 0 | 1; late?: boolean },
): Promise<{ order: OrderRow; fee_cents: number }> {
  const now_ms = services.clock.now_ms();
  const order = await tx
    .updateTable("pay_orders")
    .set({ refunding_cents: sql`refunding_cents + ${amount_cents}`, refund_count: sql`refund_count + ${count}` })
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", ref.id)
    .where("status", "=", 2)
    .where(sql<boolean>`refunded_cents + refunding_cents + ${amount_cents} <= paid_cents`)
    .where(sql<boolean>`refund_count + ${count} <= ${MOST_REFUNDS}`)
    .where("paid_at", ">", late ? "-infinity" : refundableSince(now_ms))
    .returningAll()
    .executeTakeFirst();
  if (!order) throw await whyNot(tx, ref, amount_cents, now_ms);
  const taken_cents = order.refunded_cents + order.refunding_cents - amount_cents;
  const fee_cents = feeBack({ ...order, taken_cents, taken_fee_cents: order.refunded_fee_cents + order.refunding_fee_cents }, amount_cents);
  if (fee_cents > 0) {
    const set = await tx
      .updateTable("pay_orders")
      .set({ refunding_fee_cents: sql`refunding_fee_cents + ${fee_cents}` })
      .where("service_provider_id", "=", order.service_provider_id)
      .where("id", "=", order.id)
      .executeTakeFirst();
    mustChange(set, () => new Error("a held order is gone"));
  }
  return { order, fee_cents };
}
async function whyNot(tx: Transaction, ref: Ref, amount_cents: number, now_ms: number): Promise<Error> {
  const order = await tx
    .selectFrom("pay_orders")
    .selectAll()
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", ref.id)
    .executeTakeFirst();
  if (!order) return notFound("订单");
  return invalid("amountCents", planRefund(order, amount_cents, now_ms).refusal ?? "订单正被其他人退款，请稍后再试");
}
