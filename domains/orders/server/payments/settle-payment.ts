import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Transaction as Trade } from "../../../channels/server/index.ts";
import { feeOf, postPayment } from "../../../money/server/index.ts";
import { releaseParts, takeParts } from "../../../pricing/server/index.ts";
import { planSharing } from "../../../profit-sharing/server/index.ts";
import { rateOn } from "../../../organisation/server/index.ts";
import { addEvent, channelTotal, lockOrder, type OrderRow, type Ref } from "../rows.ts";
import { tellSettlement } from "../settlements/tell-settlement.ts";

/** What became of a piece of news. `mismatch` is money that does not fit: it is shown and alarmed, never settled. */
export type Settled = "settled" | "already" | "mismatch" | "nothing";

/**
 * The only way an order becomes paid, whoever brings the news: the answer to a payment, a notification, a query.
 * The fee goes by the rate that holds on the day of the payment. Duplicates, late ones and one that comes after we closed the order all end in the same state.
 */
export async function settlePayment(tx: Transaction, services: Services, ref: Ref, trade: Trade): Promise<Settled> {
  if (trade.tradeState !== "SUCCESS" && trade.tradeState !== "REFUND") return "nothing";
  const asked = await lockOrder(tx, ref);
  if (!asked) return "nothing";
  const wrong = mismatchOf(asked, trade);
  if (wrong !== undefined) return reportMismatch(tx, services, asked, wrong);
  if (asked.status === 2 || asked.status === 3) return "already";
  const unsaid = trade.promotions.find(({ type }) => type === null);
  // The customer has paid, and the counter must not ask twice: it counts as settled in full, and the day's bill will tell.
  if (unsaid)
    await reportMismatch(
      tx,
      services,
      asked,
      `通道没有说明优惠「${unsaid.name}」${yuan(unsaid.amount_cents)} 元是否免充值，先按全额结算入账，以对账为准`,
    );
  const order = withFreeCoupons(asked, trade);
  if (order.paid_cents < 1) return reportMismatch(tx, services, asked, `通道应结 ${yuan(order.paid_cents)} 元`);

  const paid_at = trade.paidAt ?? new Date(services.clock.now_ms()).toISOString();
  const fee_rate = await rateOn(tx, {
    owner: { level: "merchant", serviceProviderId: order.service_provider_id, id: order.merchant_id, agentId: order.agent_id },
    channel: order.channel,
    product: order.trade_type,
    day: shanghaiDay(paid_at),
  });
  const { paid_cents, coupon_cents, free_coupon_cents } = order;
  const paid = await markPaid(tx, services, order, {
    paid_at,
    fee_rate,
    channel_no: trade.transactionId,
    payer: trade.openId,
    ...(free_coupon_cents > 0 && { paid_cents, coupon_cents, free_coupon_cents }),
  });
  await keepPromotions(tx, services, order, trade);
  const prepaid = offOf(trade, "CASH") + offOf(trade, null);
  const free = free_coupon_cents > 0 ? `，通道免充值优惠 ${yuan(free_coupon_cents)} 元` : "";
  const note = `实付 ${yuan(paid_cents)} 元${storedWords(order)}${prepaid > 0 ? `，其中通道优惠 ${yuan(prepaid)} 元` : ""}${free}${order.status === 1 ? "，在订单关闭之后到账" : ""}`;
  await addEvent(tx, services, order, { kind: "paid", note, at: paid_at });
  if (order.profit_sharing) await planSharing(tx, services, order);
  await tellPaid(tx, services, { ...order, payer: trade.openId }, paid);
  services.metrics.payments.inc({ channel: String(order.channel), outcome: "paid" });
  return "settled";
}

/** The order's row: paid, with everything taken that it set aside. @returns what the book is to say of it */
async function markPaid(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  paid: Partial<OrderRow> & { readonly paid_at: string; readonly fee_rate: number },
): Promise<Parameters<typeof postPayment>[3]> {
  const { gross_cents, paid_cents, free_coupon_cents } = order;
  const taken = order.priced ? await takeParts(tx, services, order, free_coupon_cents) : undefined;
  const fee_cents = feeOf(paid_cents, paid.fee_rate);
  const changed = await tx
    .updateTable("pay_orders")
    .set({ status: 2, fee_cents, failure: null, ...paid, ...taken })
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.id)
    .where("status", "in", [0, 1])
    .executeTakeFirst();
  mustChange(changed, () => new Error("a locked order changed"));
  // What of the stored value was gone when a late payment came is the merchant's to bear: taken off, not paid.
  const stored_cents = taken?.stored_value_cents ?? order.stored_value_cents;
  const discount_cents = gross_cents - paid_cents - stored_cents;
  return { gross_cents, discount_cents, paid_cents, fee_cents, occurred_at: paid.paid_at };
}
/**
 * Whoever hears of the money, and the payment in the book. Every order of a merchant moves the same accounts, and whoever posts keeps them until
 * the commit: a sale posts last, so that others wait for little, and after what members hold was locked, so that nobody waits in a ring.
 * What another room sells posts first: whoever hears of it may have to give it back at once.
 */
async function tellPaid(tx: Transaction, services: Services, order: OrderRow, figures: Parameters<typeof postPayment>[3]): Promise<void> {
  const post = () => postPayment(tx, { ids: services.ids, now_ms: services.clock.now_ms() }, order, figures);
  if (order.purpose !== 0) await post();
  await tellSettlement(tx, services, { kind: "payment", order });
  if (order.purpose === 0) await post();
}

/** An order that offers and stored value cover: nobody is asked for money, and it is paid in the moment in which it is placed. */
export async function settleWithoutMoney(tx: Transaction, services: Services, order: OrderRow): Promise<void> {
  const paid_at = order.created_at;
  const paid = await markPaid(tx, services, order, { paid_at, fee_rate: 0 });
  await addEvent(tx, services, order, { kind: "paid", note: `实付 0.00 元${storedWords(order)}`, at: paid_at });
  await tellPaid(tx, services, order, paid);
  services.metrics.payments.inc({ channel: String(order.channel), outcome: "paid" });
}
const storedWords = ({ principal_cents, gift_cents }: OrderRow): string =>
  principal_cents + gift_cents > 0 ? `，储值付 ${yuan(principal_cents + gift_cents)} 元` : "";

const offOf = ({ promotions }: Trade, type: "CASH" | "NOCASH" | null): number =>
  promotions.reduce((sum, one) => sum + (one.type === type ? one.amount_cents : 0), 0);
/**
 * What the channel took off without anybody's money reaching the merchant (免充值) is the merchant's discount and not paid: settled,
 * and so the base of fee, shares and statistics, is the total less that.
 */
function withFreeCoupons(order: OrderRow, trade: Trade): OrderRow {
  const free_coupon_cents = offOf(trade, "NOCASH");
  return {
    ...order,
    paid_cents: order.paid_cents - free_coupon_cents,
    coupon_cents: order.coupon_cents + free_coupon_cents,
    discount_cents: order.discount_cents + free_coupon_cents,
    free_coupon_cents,
  };
}

/** Who bears the channel's discounts, as the channel says it now: nobody says it again. */
async function keepPromotions(tx: Transaction, services: Services, order: OrderRow, { promotions }: Trade): Promise<void> {
  if (promotions.length === 0) return;
  const { service_provider_id, merchant_id, store_id, id: order_id } = order;
  const rows = promotions.map(({ couponId: coupon_no, name, type, amount_cents, channel_cents, merchant_cents, other_cents }) => ({
    service_provider_id,
    merchant_id,
    store_id,
    order_id,
    id: services.ids.uuid(services.clock.now_ms()),
    coupon_no,
    name,
    type,
    amount_cents,
    channel_cents,
    merchant_cents,
    other_cents,
  }));
  await tx.insertInto("order_promotions").values(rows).execute();
}

function mismatchOf(order: OrderRow, trade: Trade): string | undefined {
  if (trade.outTradeNo !== order.order_no) return `通道单号对应的是 ${trade.outTradeNo}`;
  if (trade.total_cents !== channelTotal(order))
    return `通道金额 ${yuan(trade.total_cents ?? 0)} 元，订单应付 ${yuan(channelTotal(order))} 元`;
  if (order.channel_no !== null && order.channel_no !== trade.transactionId) return `通道流水号不同：${trade.transactionId ?? "无"}`;
  return undefined;
}

/** Says once on the timeline and each time in the log that the channel's word does not fit ours. */
export async function reportMismatch(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  note: string,
  refund_id?: string,
): Promise<"mismatch"> {
  services.log.error({ order: order.order_no, note }, "channel and order differ");
  services.metrics.payments.inc({ channel: String(order.channel), outcome: "mismatch" });
  const said = await tx
    .selectFrom("order_events")
    .select("id")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .where("kind", "=", "mismatch")
    .where("note", "=", note)
    .limit(1)
    .executeTakeFirst();
  if (!said)
    await addEvent(tx, services, order, {
      kind: "mismatch",
      note,
      at: new Date(services.clock.now_ms()).toISOString(),
      ...(refund_id !== undefined && { refund_id }),
    });
  return "mismatch";
}

/** Nobody paid it and nobody will: 待支付 to 已关闭. A payment that arrives all the same is still taken. */
export async function closeOrder(tx: Transaction, services: Services, ref: Ref, note: string, failure?: string): Promise<void> {
  const order = await lockOrder(tx, ref);
  if (order?.status !== 0) return;
  const at = new Date(services.clock.now_ms()).toISOString();
  await tx
    .updateTable("pay_orders")
    .set({ status: 1, closed_at: at, failure: failure ?? null })
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.id)
    .where("status", "=", 0)
    .execute();
  if (order.priced) await releaseParts(tx, services, order);
  await addEvent(tx, services, order, { kind: failure === undefined ? "closed" : "failed", note, at });
  await tellSettlement(tx, services, { kind: "closed", order });
  services.metrics.payments.inc({ channel: String(order.channel), outcome: failure === undefined ? "closed" : "failed" });
}
