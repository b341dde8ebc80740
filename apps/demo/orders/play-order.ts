import { share } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { createTillOrder } from "@zhangfang/domains/orders/contract/index.ts";
import {
  addComment,
  addTillOrder,
  closeOrder,
  forFriend,
  readSeller,
  reserveRefund,
  settlePayment,
  settleRefund,
  type OrderRow,
} from "@zhangfang/domains/orders/server/index.ts";
import type { Wallet } from "@zhangfang/domains/channels/server/index.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { pastCtx } from "../past-ctx.ts";
import type { PlannedOrder } from "../plan.ts";
import type { DemoStore } from "../tree/tree.ts";

/** What the channel must know of a past payment, so that it can be refunded today. */
export interface PastTrade {
  readonly merchantId: string;
  readonly outTradeNo: string;
  readonly transactionId: string;
  readonly tradeType: string;
  readonly description: string;
  readonly total: number;
  readonly paidAt: string;
  readonly openId: string;
  readonly channel: number;
  readonly wallet: Wallet;
  /** The channel's discounts, as it words them. */
  readonly coupons: readonly object[];
}
/** Whose money a merchant takes besides WeChat's. */
export type Takes = Readonly<Record<string, readonly Wallet[]>>;

/** Something that happened in a store at a moment of the past. */
export interface Step {
  readonly at_ms: number;
  /** With the product's own services as they were at that moment. */
  readonly play: (tx: Transaction, services: Services) => Promise<PastTrade[]>;
}
interface Planned {
  readonly store: DemoStore;
  readonly order: PlannedOrder;
  readonly n: number;
  readonly takes: readonly Wallet[];
}
/** An order, and its refund at the moment when somebody asks for it. */
export function stepsOf({ now_ms, ...planned }: Planned & { readonly now_ms: number }): Step[] {
  const { at_ms, refund } = planned.order;
  let row: OrderRow | undefined;
  const order: Step = {
    at_ms,
    play: async (tx, services) => {
      const { trades, made } = await playOrder(tx, services, planned);
      row = made;
      return trades;
    },
  };
  const asked_ms = at_ms + (refund?.after_min ?? 0) * 60_000;
  if (!refund || asked_ms > now_ms - 3600_000) return [order];
  const later: Step = {
    at_ms: asked_ms,
    play: async (tx, services) => {
      if (row) await playRefund(tx, services, row, refund);
      return [];
    },
  };
  return [order, later];
}

const CODES = { wechat: "13", alipay: "28", unionpay: "62" } as const;
/** Of ten payments three come out of Alipay and one out of UnionPay, where the merchant takes them. */
function walletOf(n: number, takes: readonly Wallet[]): Wallet {
  const wallet = n % 10 < 3 ? "alipay" : n % 10 === 3 ? "unionpay" : "wechat";
  return takes.includes(wallet) ? wallet : "wechat";
}

async function playOrder(
  tx: Transaction,
  services: Services,
  { store, order: plan, n, takes }: Planned,
): Promise<{ trades: PastTrade[]; made?: OrderRow }> {
  const { at_ms } = plan;
  const ctx = tillCtx(services, store, plan.device);
  const owner = { service_provider_id: store.serviceProviderId, merchant_id: store.merchantId, store_id: store.id };
  const wallet = walletOf(n, takes);
  const input = createTillOrder.input.parse({
    tillNo: `H${shanghaiTime(at_ms).slice(0, 10).replaceAll("-", "")}${String(n).padStart(6, "0")}`,
    tradeType: plan.tradeType,
    subject: plan.subject,
    grossCents: plan.gross_cents,
    couponCents: plan.coupon_cents,
    face: plan.face,
    wallet,
    ...(plan.tradeType === "MICROPAY" && {
      authCode: `${CODES[wallet]}${String(100_000_000 + n)}0000099`.padEnd(19, "9").slice(0, wallet === "unionpay" ? 19 : 18),
    }),
    ...(plan.tradeType === "JSAPI" && { openId: `o${sha256(`${n}`).toString("hex").slice(0, 27)}` }),
    cashierCode: store.cashiers[plan.cashier]?.code,
  });
  const seller = await readSeller(tx, owner);
  const row = await addTillOrder(ctx, tx, { input, hash: sha256(JSON.stringify(input)), store: owner, seller });
  if (!row) return { trades: [] };
  const friend = plan.tradeType === "NATIVE" && n % 6 === 2;
  if (friend)
    await forFriend(services, { orderer: `o-hungry-${n % 97}`, ordererName: "小王", message: "帮我付一下吧", minutes: 60 }).write(tx, row);
  if (!plan.paid) {
    await closeOrder(tx, at(services, at_ms + 5 * 60_000), row, "超时未支付");
    return { trades: [] };
  }
  const paidAt = new Date(at_ms + 4_000 + (n % 20) * 1_000).toISOString();
  const transactionId = `42000${shanghaiTime(at_ms).replaceAll(/\D/g, "")}${services.ids.digits(9)}`;
  const payer = sha256(`${store.merchantId}:${n % 400}`);
  const openId =
    wallet === "alipay"
      ? `2088${payer.readBigUInt64BE() % 1_000_000_000_000n}`.padEnd(16, "0")
      : `o${payer.toString("base64url").slice(0, 27)}`;
  const promotions = promotionOf(n, row.paid_cents);
  await settlePayment(tx, at(services, Date.parse(paidAt)), row, {
    outTradeNo: row.order_no,
    transactionId,
    tradeState: "SUCCESS",
    total_cents: row.paid_cents,
    paid_cents: row.paid_cents - promotions.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    paidAt,
    openId,
    tradeType: plan.tradeType,
    bankType: "OTHERS",
    promotions,
  });
  if (n % 7 === 3) await commentOn(tx, at(services, Date.parse(paidAt) + 60_000), row, n);
  const trade = {
    merchantId: store.merchantId,
    outTradeNo: row.order_no,
    transactionId,
    tradeType: plan.tradeType,
    description: plan.subject,
    total: row.paid_cents,
    paidAt,
    openId,
    channel: row.channel,
    wallet,
    coupons: promotions.map(couponOf),
  };
  return { trades: [trade], made: promotions.length > 0 ? await settledRow(tx, row) : row };
}

/** What the channel took off without settling it is no longer part of what was paid. */
const settledRow = (tx: Transaction, { service_provider_id, id }: OrderRow): Promise<OrderRow> =>
  tx
    .selectFrom("pay_orders")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

/** Now and then the channel takes a tenth off: a coupon of the merchant's own that is not settled, or one that the channel has paid for. */
function promotionOf(n: number, paid_cents: number) {
  if (n % 9 !== 4) return [];
  const amount_cents = Math.max(1, Math.floor(paid_cents / 10));
  const own = n % 18 === 4;
  const bearers = { amount_cents, channel_cents: own ? 0 : amount_cents, merchant_cents: own ? amount_cents : 0, other_cents: 0 };
  const type = own ? ("NOCASH" as const) : ("CASH" as const);
  return [{ couponId: String(8_000_000_000 + n), name: own ? "满减券" : "支付立减", type, stockId: "18000001", ...bearers }];
}
const couponOf = (one: ReturnType<typeof promotionOf>[number]): object => ({
  coupon_id: one.couponId,
  name: one.name,
  type: one.type,
  amount: one.amount_cents,
  stock_id: one.stockId,
  wechatpay_contribute: one.channel_cents,
  merchant_contribute: one.merchant_cents,
  other_contribute: one.other_cents,
});

const STARS = [5, 4, 5, 3, 5, 1, 4];
const KIND = ["味道很好，下次再来", "上菜很快，服务周到", "", "店里很干净，孩子很喜欢"];
const UNKIND = ["排队有点久，味道还行", "分量少了一点", "等了四十分钟"];
/** Some of those who paid say how it was, most of them kindly. */
function commentOn(tx: Transaction, services: Services, row: OrderRow, n: number): Promise<void> {
  const stars = STARS[Math.floor(n / 7) % STARS.length]!;
  const words = stars > 3 ? KIND : UNKIND;
  return addComment(tx, services, row, { stars, said: words[n % words.length]!, places: [] });
}

async function playRefund(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  { part, fails }: NonNullable<PlannedOrder["refund"]>,
): Promise<void> {
  const asked_ms = services.clock.now_ms();
  const cents = Math.max(1, share(order.paid_cents, part * 100));
  const refund = await reserveRefund(tx, services, {
    order,
    request_id: services.ids.uuid(asked_ms),
    ask: { cents },
    reason: REASONS[cents % REASONS.length] ?? "顾客申请",
    requested_by: null,
    requested_by_name: "收银机",
    mayDecide: true,
  });
  const status = fails ? "abnormal" : "success";
  const successAt = fails ? null : new Date(asked_ms + 30_000).toISOString();
  await settleRefund(tx, at(services, asked_ms + 30_000), refund, {
    outTradeNo: order.order_no,
    outRefundNo: refund.refund_no,
    transactionId: order.channel_no,
    refundId: `50${services.ids.digits(26)}`,
    status,
    amount_cents: refund.amount_cents + refund.free_coupon_cents,
    total_cents: order.paid_cents + order.free_coupon_cents,
    successAt,
    userReceivedAccount: fails ? null : "支付用户零钱",
  });
}
const REASONS = ["顾客不要了", "商品缺货", "多收款", "质量问题", "重复支付"] as const;
const at = (services: Services, now_ms: number): Services => ({ ...services, clock: { now_ms: () => now_ms } });

function tillCtx(services: Services, store: DemoStore, device: number): Ctx {
  const { id, sn } = store.devices[device] ?? store.devices[0]!;
  return pastCtx(services, createTillOrder, store, { kind: "device", id, name: sn });
}
