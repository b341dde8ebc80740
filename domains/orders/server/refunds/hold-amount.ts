import { sql } from "kysely";
import { partBack } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { postRefundRelease, postRefundReserve } from "../../../money/server/index.ts";
import { type Ask, type Back, holdBack, planBack } from "../../../pricing/server/index.ts";
import {
  cancelReturns,
  needNothing,
  needReturns,
  needReturnsAgain,
  reserveReturns,
  type ReturnNeed,
} from "../../../profit-sharing/server/index.ts";
import { lockOrder, newNumber, type OrderRow, type Ref, type RefundRow, valueOf } from "../rows.ts";
import type { VoucherWish } from "./refund-hold.ts";
import { feeOf, MOST_REFUNDS, needsApproval, planRefund, refundableSince, refusalOf } from "./refund-rules.ts";

export interface Holding {
  /** Units or an amount of value; a refund that failed and is sent again asks for what it did. */
  readonly ask: Ask | { readonly again: RefundRow };
  /** 1 for a new refund, 0 where it is counted already. */
  readonly count: 0 | 1;
  /** The channel has done it already, however long ago the payment is. */
  readonly late?: boolean;
  /** One that is sent again gives up what did not come back of its shares. */
  readonly bear?: boolean;
  /** A refund of no value is one: vouchers alone go back with it. */
  readonly nothing?: boolean;
  /** Whoever sold it beforehand (a recharge, a card) gives it back by rules of its own. */
  readonly bySeller?: boolean | undefined;
}
export interface Held {
  readonly order: OrderRow;
  /** How its value is cut. */
  readonly back: Back;
  readonly fee_cents: number;
  /** What has to come back of the order's shares before it goes out. */
  readonly need: ReturnNeed;
}

/** How what is asked for is cut: of an order that came as an amount all is money. @throws 400 at the field */
export async function cutOf(tx: Transaction, order: OrderRow, ask: Holding["ask"], nothing = false): Promise<Back> {
  if ("again" in ask) {
    const { id: refund_id, amount_cents: money_cents, principal_cents, gift_cents, value_cents } = ask.again;
    if (!order.priced) return allMoney(order, value_cents);
    return planBack(tx, order, undefined, { refund_id, tenders: { money_cents, principal_cents, gift_cents } }, nothing);
  }
  if (order.priced) return planBack(tx, order, ask, undefined, nothing);
  if ("units" in ask) throw invalid("units", "订单没有商品明细，请按金额退款");
  return allMoney(order, ask.cents);
}
const allMoney = (order: OrderRow, cents: number): Back => ({
  value_cents: cents,
  amount_cents: cents,
  money_cents: cents,
  principal_cents: 0,
  gift_cents: 0,
  points: {},
  units: {},
  provider: {},
  whole: cents === order.paid_cents - order.value_refunded_cents - order.value_refunding_cents,
});
/**
 * The part of the channel's free coupons that goes back with a refund whose amount is held already, by the rule of every part
 * that goes back.
 */
export async function freeCouponsBack(
  tx: Transaction,
  order: OrderRow,
  amount_cents: number,
  except: string | null = null,
): Promise<number> {
  if (order.free_coupon_cents === 0) return 0;
  const { rows } = await sql<{ taken: number }>`select coalesce(sum(free_coupon_cents), 0)::bigint as taken from refunds
    where service_provider_id = ${order.service_provider_id} and order_id = ${order.id} and status in (0, 1, 2) and id is distinct from ${except}::uuid`.execute(
    tx,
  );
  const left = order.paid_cents - order.refunded_cents - order.refunding_cents + amount_cents;
  return partBack(order.free_coupon_cents, rows[0]?.taken ?? 0, amount_cents, left);
}

/**
 * Holds the order, and one guarded UPDATE then holds the value together with what it takes back of money, fee and shares: whatever
 * races, refunded and refunding together never exceed what was paid, nor shares what is left of it.
 * @throws 400 with the reason, 404 where the order is not in sight, 409 `refund.by-card` for what only its seller gives back
 */
export async function holdAmount(tx: Transaction, services: Services, ref: Ref, holding: Holding): Promise<Held> {
  const { ask, count, late = false, bear = false, bySeller = false, nothing = false } = holding;
  const now_ms = services.clock.now_ms();
  const seen = await lockOrder(tx, ref);
  if (!seen) throw notFound("订单");
  if (seen.purpose !== 0 && !bySeller && !("again" in ask)) throw conflict("这是预付的订单，请在对应的退卡处办理", "refund.by-card");
  const asked_cents = "cents" in ask ? ask.cents : "again" in ask ? ask.again.value_cents : undefined;
  const whyNot = (order: OrderRow) =>
    asked_cents === undefined ? refusalOf(order, now_ms) : planRefund(order, asked_cents, now_ms, asked_cents, nothing).refusal;
  const refused = late ? undefined : whyNot(seen);
  // A refund sent again is counted already; that it was the fiftieth does not stop it.
  if (refused !== undefined && !(count === 0 && seen.refund_count >= MOST_REFUNDS)) throw invalid("amountCents", refused);
  const back = await cutOf(tx, seen, ask, nothing);
  const { value_cents, money_cents } = back;
  const fee_cents = feeOf(seen, money_cents);
  const asked = { amount_cents: money_cents, fee_back_cents: fee_cents };
  const need = late
    ? await needNothing(tx, seen, asked)
    : "again" in ask
      ? await needReturnsAgain(tx, seen, { ...asked, id: ask.again.id }, bear, now_ms)
      : await needReturns(tx, seen, asked, now_ms);
  if (need.refusal !== undefined) throw invalid("amountCents", need.refusal);
  const order = await tx
    .updateTable("pay_orders")
    .set({
      value_refunding_cents: sql`value_refunding_cents + ${value_cents}`,
      refunding_cents: sql`refunding_cents + ${money_cents}`,
      refunding_fee_cents: sql`refunding_fee_cents + ${fee_cents}`,
      refund_count: sql`refund_count + ${count}`,
      ...(need.back_cents > 0 && { share_returning_cents: sql`share_returning_cents + ${need.back_cents}` }),
      ...(need.borne_cents > 0 && { share_borne_cents: sql`share_borne_cents + ${need.borne_cents}` }),
    })
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", ref.id)
    .where("status", "=", 2)
    .where(sql<boolean>`value_refunded_cents + value_refunding_cents + ${value_cents} <= paid_cents + principal_cents + gift_cents`)
    .where(sql<boolean>`refunded_cents + refunding_cents + ${money_cents} <= paid_cents`)
    .where(sql<boolean>`refund_count + ${count} <= ${MOST_REFUNDS}`)
    .where("paid_at", ">", late || money_cents === 0 ? "-infinity" : refundableSince(now_ms))
    .returningAll()
    .executeTakeFirst();
  if (!order) throw invalid("amountCents", whyNot(seen) ?? "订单正被其他人退款，请稍后再试");
  return { order, back, fee_cents, need };
}

export interface RefundAsk {
  readonly order: Ref;
  readonly request_id: string;
  /** Units of lines, or an amount of value. */
  readonly ask: Ask;
  readonly reason: string;
  readonly requested_by: string | null;
  readonly requested_by_name: string;
  readonly device_id?: string;
  /** Who gives it back at a till. */
  readonly cashier_id?: string | null;
  /** Whoever asks may approve refunds themselves. */
  readonly mayDecide: boolean;
  /** See `Holding`. */
  readonly bySeller?: boolean;
  /** Which vouchers of platforms are taken back first, where the order has any. */
  readonly vouchers?: VoucherWish;
  /** Writes what is given back besides, before the refund goes out: one without money is done at once. */
  readonly write?: ((tx: Transaction, refund: RefundRow) => Promise<void>) | undefined;
}

/** Whether a refund of so much value waits for somebody else to agree, by the merchant's limit. */
export async function waitsForSomebody(tx: Transaction, order: OrderRow, value_cents: number, mayDecide: boolean): Promise<boolean> {
  const merchant = await tx
    .selectFrom("merchants")
    .select("refund_approval_above_cents")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.merchant_id)
    .executeTakeFirst();
  return needsApproval(merchant?.refund_approval_above_cents ?? null, value_cents, mayDecide);
}
/** Writes a refund down whose amount is held: 退款中, or 待审批 above the merchant's limit and where an invoice or a voucher is taken back first. */
export async function writeDown(
  tx: Transaction,
  services: Services,
  ask: RefundAsk,
  { order, back, fee_cents }: Held,
  waits: { readonly red: boolean; readonly vouchers: boolean },
): Promise<RefundRow> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { reason, request_id } = ask;
  const { value_cents, money_cents: amount_cents, principal_cents, gift_cents } = back;
  const { service_provider_id, merchant_id, store_id, agent_id, business_group_id, business_team_id, salesman_id } = order;
  const audited = await waitsForSomebody(tx, order, value_cents, ask.mayDecide);
  const above_limit = audited || waits.red || waits.vouchers;
  // Somebody agrees before a voucher is taken back; an invoice comes after it, for a platform has an hour.
  const first = waits.vouchers && !audited ? "voucher" : waits.red ? (audited ? "red-audit" : "red") : null;
  return tx
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
      refund_type: value_cents === valueOf(order) ? 1 : 2,
      status: above_limit ? 0 : 1,
      waits_for: first,
      above_limit,
      amount_cents,
      value_cents,
      principal_cents,
      gift_cents,
      points_back: Object.values(back.points).reduce((sum, points) => sum + points, 0),
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
}

/**
 * What a refund sets aside besides its amount, once it is written down: its cut of the order's parts, what comes back of shares, first, so
 * that the merchant has what the refund takes, and the lines of the book.
 */
export async function setAside(
  tx: Transaction,
  services: Services,
  refund: RefundRow,
  { order, back, fee_cents, need }: Held,
  occurred_at: string,
): Promise<void> {
  const { id, amount_cents } = refund;
  if (order.priced) await holdBack(tx, { order, refund_id: id }, back);
  await reserveReturns(tx, services, order, refund, need);
  await postRefundReserve(tx, { ids: services.ids, now_ms: services.clock.now_ms() }, order, { id, amount_cents, fee_cents, occurred_at });
}

/** Gives back what a refund had set aside. @param count 1 where it never reached the channel and does not count */
export async function releaseAmount(tx: Transaction, services: Services, order: OrderRow, refund: RefundRow, count: 0 | 1): Promise<void> {
  const { id, amount_cents, value_cents, fee_cents } = refund;
  await tx
    .updateTable("pay_orders")
    .set({
      value_refunding_cents: sql`value_refunding_cents - ${value_cents}`,
      refunding_cents: sql`refunding_cents - ${amount_cents}`,
      refunding_fee_cents: sql`refunding_fee_cents - ${fee_cents}`,
      refund_count: sql`refund_count - ${count}`,
    })
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.id)
    .execute();
  const now_ms = services.clock.now_ms();
  await postRefundRelease(tx, { ids: services.ids, now_ms }, order, {
    id,
    amount_cents,
    fee_cents,
    occurred_at: new Date(now_ms).toISOString(),
  });
  await cancelReturns(tx, services, order, id);
}
