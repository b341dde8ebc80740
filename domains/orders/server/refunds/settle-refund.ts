import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { mustChange, type Transaction } from "@zhangfang/server/db.ts";
import { Refusal } from "@zhangfang/server/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Refund } from "../../../channels/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { postRefundDone, postRefundRelease } from "../../../money/server/index.ts";
import { giveBack } from "../../../pricing/server/index.ts";
import { cancelReturns } from "../../../profit-sharing/server/index.ts";
import { reportMismatch, type Settled } from "../payments/settle-payment.ts";
import {
  addEvent,
  channelAmount,
  channelNumber,
  channelTotal,
  lockOrder,
  lockRefund,
  type OrderRow,
  type Ref,
  type RefundRow,
} from "../rows.ts";
import { tellSettlement } from "../settlements/tell-settlement.ts";
import { holdAmount, setAside } from "./hold-amount.ts";
import { nextRefundLook_ms } from "./refund-rules.ts";

/**
 * The only way 退款中 becomes 已退款 or 退款失败, whoever brings the news: the channel's answer, a notification, a query.
 * A success that comes after a failure is money that left all the same: it is set aside again and settled.
 */
export async function settleRefund(tx: Transaction, services: Services, ref: Ref & { order_id: string }, news: Refund): Promise<Settled> {
  const order = await lockOrder(tx, { service_provider_id: ref.service_provider_id, id: ref.order_id });
  const refund = order && (await lockRefund(tx, ref));
  if (!order || !refund) return "nothing";
  const wrong = mismatchOf(order, refund, news);
  if (wrong !== undefined) return reportMismatch(tx, services, order, wrong, refund.id);
  if (refund.status === 2)
    return news.status === "success" && (await paidOutside(tx, refund))
      ? reportMismatch(tx, services, order, `退款 ${refund.refund_no} 已凭线下转账确认，渠道又退款到账`, refund.id)
      : "already";
  if (news.outRefundNo !== channelNumber(refund)) {
    // Word of a number that the channel closed and that has been replaced since; a closed one must not succeed.
    return news.status === "success" ? reportMismatch(tx, services, order, `已关闭的退款 ${news.outRefundNo} 到账`, refund.id) : "already";
  }
  if (news.status === "success") return succeed(tx, services, order, refund, news);
  if (refund.status === 3) return "already";
  if (news.status === "processing") return accept(tx, services, order, refund, news);
  const why = news.status === "closed" ? "渠道已关闭退款，可重新发起" : "渠道退款异常，请先在微信支付商户平台处理，再重新退款";
  await failRefund(tx, services, order, refund, {
    channel_status: news.status.toUpperCase(),
    failure: why,
    channel_refund_no: news.refundId,
  });
  return "settled";
}

function mismatchOf(order: OrderRow, refund: RefundRow, news: Refund): string | undefined {
  if (refund.status === 0 || refund.status > 3) return `渠道收到了未批准的退款 ${refund.refund_no}`;
  if (news.outTradeNo !== order.order_no) return `退款 ${refund.refund_no} 对应的订单是 ${news.outTradeNo}`;
  if (news.amount_cents !== channelAmount(refund) || news.total_cents !== channelTotal(order))
    return `退款 ${refund.refund_no} 的渠道金额 ${yuan(news.amount_cents)} 元，应为 ${yuan(channelAmount(refund))} 元`;
  return undefined;
}

/** Whether somebody confirmed that the payer got it past the channel: the channel's own success is then the same money once more. */
async function paidOutside(tx: Transaction, { service_provider_id, id }: RefundRow): Promise<boolean> {
  const proof = await tx
    .selectFrom("refund_evidence")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("refund_id", "=", id)
    .where("state", "=", "confirmed")
    .executeTakeFirst();
  return proof !== undefined;
}

async function succeed(tx: Transaction, services: Services, order: OrderRow, refund: RefundRow, news: Refund): Promise<Settled> {
  const now_ms = services.clock.now_ms();
  const at = news.successAt ?? new Date(now_ms).toISOString();
  const poster = { ids: services.ids, now_ms };
  let { fee_cents } = refund;
  if (refund.status === 3) {
    if (order.status !== 2 || order.refunded_cents + order.refunding_cents + refund.amount_cents > order.paid_cents) {
      return reportMismatch(tx, services, order, `退款 ${refund.refund_no} 在失败之后到账，订单已没有可退金额`, refund.id);
    }
    // Refused before anything is changed: the money is out, and nothing here is left that it could come from.
    const held = await holdAmount(tx, services, order, { amount_cents: refund.amount_cents, count: 0, late: true }).catch(orRefusal);
    if (held instanceof Refusal)
      return reportMismatch(tx, services, order, `退款 ${refund.refund_no} 在失败之后到账，${reasonOf(held)}`, refund.id);
    ({ fee_cents } = held);
    await moveRefund(tx, refund, 3, { status: 1, fee_cents });
    await setAside(tx, services, refund, held, at);
  }
  await moveRefund(tx, refund, 1, {
    status: 2,
    finished_at: at,
    channel_refund_no: news.refundId,
    channel_status: "SUCCESS",
    failure: null,
    next_query_at: null,
  });
  const whole = order.refunded_cents + refund.amount_cents === order.paid_cents;
  await tx
    .updateTable("pay_orders")
    .set({
      refunding_cents: sql`refunding_cents - ${refund.amount_cents}`,
      refunded_cents: sql`refunded_cents + ${refund.amount_cents}`,
      refunding_fee_cents: sql`refunding_fee_cents - ${fee_cents}`,
      refunded_fee_cents: sql`refunded_fee_cents + ${fee_cents}`,
      ...(whole && { status: 3 }),
    })
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.id)
    .execute();
  await postRefundDone(tx, poster, order, { id: refund.id, amount_cents: refund.amount_cents, fee_cents, occurred_at: at });
  if (order.priced) await giveBack(tx, services, { order, refund_id: refund.id }, whole);
  const note = `${yuan(refund.amount_cents)} 元${news.userReceivedAccount ? `，退回${news.userReceivedAccount}` : ""}${whole ? "，订单已全额退款" : ""}`;
  await addEvent(tx, services, order, { kind: "refunded", note, at, refund_id: refund.id });
  await tellSettlement(tx, services, { kind: "refund", order, refundId: refund.id });
  services.metrics.refunds.inc({ channel: String(order.channel), outcome: "done" });
  return "settled";
}

function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
const reasonOf = ({ fields, message }: Refusal): string => fields?.["amountCents"] ?? message;

async function accept(tx: Transaction, services: Services, order: OrderRow, refund: RefundRow, news: Refund): Promise<Settled> {
  const now_ms = services.clock.now_ms();
  const next_query_at = new Date(now_ms + nextRefundLook_ms(refund.created_at, now_ms)).toISOString();
  await tx
    .updateTable("refunds")
    .set({ channel_refund_no: news.refundId, channel_status: "PROCESSING", next_query_at })
    .where("service_provider_id", "=", refund.service_provider_id)
    .where("id", "=", refund.id)
    .execute();
  if (refund.channel_status !== "PROCESSING")
    await addEvent(tx, services, order, {
      kind: "refund-accepted",
      note: "渠道处理中",
      at: new Date(now_ms).toISOString(),
      refund_id: refund.id,
    });
  return "nothing";
}

/** 退款中 to 退款失败: what was set aside goes back. The order and the refund are held by the caller. */
export async function failRefund(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  refund: RefundRow,
  said: { channel_status: string; failure: string; channel_refund_no?: string },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const at = new Date(now_ms).toISOString();
  await moveRefund(tx, refund, 1, { status: 3, finished_at: at, next_query_at: null, ...said });
  await releaseAmount(tx, services, order, refund, 0);
  await addEvent(tx, services, order, {
    kind: "refund-failed",
    note: `${yuan(refund.amount_cents)} 元，${said.failure}`,
    at,
    refund_id: refund.id,
  });
  const merchant = { level: "MCH", provider: order.service_provider_id, node: order.merchant_id } as const;
  await tell(tx, merchant, {
    kind: "refundFailed",
    title: `退款 ${yuan(refund.amount_cents)} 元失败`,
    body: `订单 ${order.order_no}：${said.failure}`,
    href: `/dataCentre/payRefund?keyword=${refund.refund_no}&from=&to=`,
    item: "/dataCentre/payRefund",
    once: `refund:${refund.id}:${channelNumber(refund)}`,
    at,
  });
  services.metrics.refunds.inc({ channel: String(order.channel), outcome: "failed" });
}

/** Gives back what a refund had set aside. @param count 1 where it never reached the channel and does not count */
export async function releaseAmount(tx: Transaction, services: Services, order: OrderRow, refund: RefundRow, count: 0 | 1): Promise<void> {
  const { id, amount_cents, fee_cents } = refund;
  await tx
    .updateTable("pay_orders")
    .set({
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

/** One guarded step of a refund. @throws where it is no longer where it was */
async function moveRefund(tx: Transaction, refund: RefundRow, from: number, to: Partial<RefundRow> & { status: number }): Promise<void> {
  const moved = await tx
    .updateTable("refunds")
    .set(to)
    .where("service_provider_id", "=", refund.service_provider_id)
    .where("id", "=", refund.id)
    .where("status", "=", from)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a locked refund moved"));
}
