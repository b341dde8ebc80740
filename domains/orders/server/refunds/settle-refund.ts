import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Refund } from "../../../channels/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { postRefundDone } from "../../../money/server/index.ts";
import { giveBack } from "../../../pricing/server/index.ts";
import {
  addEvent,
  type Both,
  channelAmount,
  channelNumber,
  channelTotal,
  moveRefund,
  type OrderRow,
  type RefundRow,
  valueOf,
} from "../rows.ts";
import { tellSettlement } from "../settlements/tell-settlement.ts";
import { type Held, holdAmount, setAside } from "./hold-amount.ts";
import { voucherDoorOf } from "./refund-hold.ts";
import { nextRefundLook_ms } from "./refund-rules.ts";

/** What a piece of news is to a refund that is held: the same money again, what does not fit (in words), or news indeed. */
type News = "already" | "new" | { readonly wrong: string };

export async function judge(tx: Transaction, { order, refund }: Both, news: Refund): Promise<News> {
  const wrong = mismatchOf(order, refund, news);
  if (wrong !== undefined) return { wrong };
  const success = news.status === "success";
  if (refund.status === 2)
    return success && (await paidOutside(tx, refund)) ? { wrong: `退款 ${refund.refund_no} 已凭线下转账确认，通道又退款到账` } : "already";
  // Word of a number that the channel closed and that has been replaced since; a closed one must not succeed.
  if (news.outRefundNo !== channelNumber(refund)) return success ? { wrong: `已关闭的退款 ${news.outRefundNo} 到账` } : "already";
  return refund.status === 3 && !success ? "already" : "new";
}

function mismatchOf(order: OrderRow, refund: RefundRow, news: Refund): string | undefined {
  if (refund.status === 0 || refund.status > 3) return `通道收到了未批准的退款 ${refund.refund_no}`;
  if (news.outTradeNo !== order.order_no) return `退款 ${refund.refund_no} 对应的订单是 ${news.outTradeNo}`;
  if (news.amount_cents !== channelAmount(refund) || news.total_cents !== channelTotal(order))
    return `退款 ${refund.refund_no} 的通道金额 ${yuan(news.amount_cents)} 元，应为 ${yuan(channelAmount(refund))} 元`;
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

/**
 * A success after a failure is money that left all the same: it is set aside again, 退款失败 to 退款中.
 * @returns the refund as it is on its way; why not where nothing here is left that it could come from
 */
export async function holdLate(tx: Transaction, services: Services, { order, refund }: Both, at: string): Promise<RefundRow | string> {
  const { amount_cents, value_cents } = refund;
  const over = order.value_refunded_cents + order.value_refunding_cents + value_cents > valueOf(order);
  if (order.status !== 2 || over || order.refunded_cents + order.refunding_cents + amount_cents > order.paid_cents)
    return "订单已没有可退金额";
  // Refused before anything is changed.
  const held = await holdAmount(tx, services, order, { ask: { again: refund }, count: 0, late: true }).catch(orRefusal);
  if (held instanceof Refusal) return held.fields?.["amountCents"] ?? held.message;
  const { fee_cents } = held;
  await moveRefund(tx, refund, 3, { status: 1, fee_cents });
  await keepUses(tx, services, refund, held, "late");
  await setAside(tx, services, refund, held, at);
  return { ...refund, status: 1, fee_cents };
}
/** With a refund that is held again and leaves nothing, vouchers of the order stay that nobody decided on: that is written down. @throws 409 unless it is late */
export async function keepUses(
  tx: Transaction,
  services: Services,
  refund: RefundRow,
  { order, back }: Held,
  wish: "again" | "late",
): Promise<void> {
  const plan = back.whole ? await voucherDoorOf(services, order)?.plan(tx, services, order, back, wish) : undefined;
  await plan?.write(refund);
}
function orRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** What a refund gives back, in words: its money, and what of it was not paid with money. */
export function amountWords({ amount_cents, principal_cents, gift_cents, points_back }: RefundRow): string {
  const stored = principal_cents + gift_cents;
  const points = points_back > 0 ? `，退回积分 ${points_back}` : "";
  return `${yuan(amount_cents)} 元${stored > 0 ? `，退回储值 ${yuan(stored)} 元` : ""}${points}`;
}

/**
 * The payer has it: 退款中 to 已退款, the order's sums, the book, what the refund gives back besides, and whoever hears of money.
 * @param news nothing where no money goes back, so that no channel was asked
 */
export async function succeed(
  tx: Transaction,
  services: Services,
  { order, refund }: Both,
  news: Pick<Refund, "refundId" | "userReceivedAccount"> | undefined,
  at: string,
): Promise<void> {
  const { id, amount_cents, value_cents, fee_cents } = refund;
  await moveRefund(tx, refund, 1, {
    status: 2,
    finished_at: at,
    ...(news && { channel_refund_no: news.refundId, channel_status: "SUCCESS" }),
    failure: null,
    next_query_at: null,
  });
  // A refund of vouchers alone may end after the one that left nothing.
  const whole = order.status === 2 && order.value_refunded_cents + value_cents === valueOf(order);
  await tx
    .updateTable("pay_orders")
    .set({
      value_refunding_cents: sql`value_refunding_cents - ${value_cents}`,
      value_refunded_cents: sql`value_refunded_cents + ${value_cents}`,
      refunding_cents: sql`refunding_cents - ${amount_cents}`,
      refunded_cents: sql`refunded_cents + ${amount_cents}`,
      refunding_fee_cents: sql`refunding_fee_cents - ${fee_cents}`,
      refunded_fee_cents: sql`refunded_fee_cents + ${fee_cents}`,
      ...(whole && { status: 3 }),
    })
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.id)
    .execute();
  if (order.priced) await giveBack(tx, services, { order, refund_id: id }, whole);
  const note = `${amountWords(refund)}${news?.userReceivedAccount ? `，退回${news.userReceivedAccount}` : ""}${whole ? "，订单已全额退款" : ""}`;
  await addEvent(tx, services, order, { kind: "refunded", note, at, refund_id: id });
  await tellSettlement(tx, services, { kind: "refund", order, refundId: id });
  // Last, as a payment is: whoever posts keeps the merchant's accounts until the commit.
  const poster = { ids: services.ids, now_ms: services.clock.now_ms() };
  await postRefundDone(tx, poster, order, { id, amount_cents, fee_cents, occurred_at: at });
  services.metrics.refunds.inc({ channel: String(order.channel), outcome: "done" });
}

/** The channel has taken it on: it is looked at again, ever less often. */
export async function accept(tx: Transaction, services: Services, { order, refund }: Both, news: Refund): Promise<void> {
  const now_ms = services.clock.now_ms();
  const next_query_at = new Date(now_ms + nextRefundLook_ms(refund.created_at, now_ms)).toISOString();
  await moveRefund(tx, refund, 1, { status: 1, channel_refund_no: news.refundId, channel_status: "PROCESSING", next_query_at });
  if (refund.channel_status !== "PROCESSING")
    await addEvent(tx, services, order, {
      kind: "refund-accepted",
      note: "通道处理中",
      at: new Date(now_ms).toISOString(),
      refund_id: refund.id,
    });
}

/** Writes a failure beside the order and tells the merchant, once for each number at the channel. */
export async function tellFailure(
  tx: Transaction,
  services: Services,
  { order, refund }: Both,
  failure: string,
  at: string,
): Promise<void> {
  const amount = yuan(refund.amount_cents);
  await addEvent(tx, services, order, { kind: "refund-failed", note: `${amount} 元，${failure}`, at, refund_id: refund.id });
  const merchant = { level: "MCH", provider: order.service_provider_id, node: order.merchant_id } as const;
  await tell(tx, merchant, {
    kind: "refundFailed",
    title: `退款 ${amount} 元失败`,
    body: `订单 ${order.order_no}：${failure}`,
    href: `/dataCentre/payRefund?keyword=${refund.refund_no}&from=&to=`,
    item: "/dataCentre/payRefund",
    once: `refund:${refund.id}:${channelNumber(refund)}`,
    at,
  });
  services.metrics.refunds.inc({ channel: String(order.channel), outcome: "failed" });
}
