import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addEvent, newNumber, type Ref, type RefundRow } from "../rows.ts";
import { checkDailyLimit } from "./refund-guards.ts";
import { freeCouponsBack, holdAmount, setAside } from "./hold-amount.ts";
import { sendRefund } from "./refund-jobs.ts";
import { needsApproval } from "./refund-rules.ts";

export interface RefundAsk {
  readonly order: Ref;
  readonly request_id: string;
  readonly amount_cents: number;
  readonly reason: string;
  readonly requested_by: string | null;
  readonly requested_by_name: string;
  readonly device_id?: string;
  /** Who gives it back at a till. */
  readonly cashier_id?: string | null;
  /** Whoever asks may approve refunds themselves. */
  readonly mayDecide: boolean;
}

/** Sets the amount aside, writes the refund down and has it sent, or has it wait for approval: all or nothing. @throws 400 and 404 */
export async function reserveRefund(tx: Transaction, services: Services, ask: RefundAsk): Promise<RefundRow> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { amount_cents, reason, request_id } = ask;
  const held = await holdAmount(tx, services, ask.order, { amount_cents, count: 1 });
  const { order, fee_cents, need } = held;
  await checkDailyLimit(tx, order, amount_cents, now_ms);
  const { service_provider_id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id } = order;
  const merchant = await tx
    .selectFrom("merchants")
    .select("refund_approval_above_cents")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", merchant_id)
    .executeTakeFirst();
  const above_limit = needsApproval(merchant?.refund_approval_above_cents ?? null, amount_cents, ask.mayDecide);
  const refund = await tx
    .insertInto("refunds")
    .values({
      service_provider_id,
      id: services.ids.uuid(now_ms),
      merchant_id,
      store_id,
      agent_id,
      business_group_id,
      business_team_id,
      salesman_id,
      order_id: order.id,
      refund_no: newNumber(services, "R", now_ms),
      request_id,
      refund_type: amount_cents === order.paid_cents ? 1 : 2,
      status: above_limit ? 0 : 1,
      above_limit,
      amount_cents,
      free_coupon_cents: await freeCouponsBack(tx, order, amount_cents),
      fee_cents,
      reason,
      requested_by: ask.requested_by,
      requested_by_name: ask.requested_by_name,
      device_id: ask.device_id ?? null,
      cashier_id: ask.cashier_id ?? null,
      attempts: above_limit ? 0 : 1,
      next_query_at: now,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await setAside(tx, services, refund, held, now);
  const shares = `${need.back_cents > 0 ? `，先回退分账 ${yuan(need.back_cents)} 元` : ""}${need.borne_cents > 0 ? `，商户承担分账 ${yuan(need.borne_cents)} 元` : ""}`;
  const note = `${yuan(amount_cents)} 元，${reason}${shares}${above_limit ? "，等待审批" : ""}`;
  await addEvent(tx, services, order, { kind: "refund-asked", note, at: now, by: ask.requested_by_name, refund_id: refund.id });
  if (!above_limit) await services.jobs.enqueue(tx, sendRefund, { service_provider_id, id: refund.id });
  return refund;
}
