import { createPublicKey } from "node:crypto";
import { actOnApplyment, applymentsOf, openApplyments } from "./applyment/applyments.ts";
import { changeCoupons, showCoupons } from "./coupons/batches.ts";
import { readFault } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { publicKeysOf, randomDigits } from "./keys.ts";
import type { PlatformKeys } from "./keys.ts";
import type { Outbox } from "./outbox.ts";
import { tradeKey } from "./trades/read-order.ts";
import { bag, text } from "./reply.ts";
import type { Bag, Desk, Settings } from "./reply.ts";
import { refundKey, settleRefund } from "./trades/refunds.ts";
import { settleReturn } from "./sharing/sharing-returns.ts";
import type { Dialect, Merchant, Refund, State, Trade } from "./state.ts";
import { decideTransfer, openTransfers } from "./trades/transfers.ts";
import { completePayment, currentTrade, tradeBody } from "./trades/trades.ts";

/** What the control API and the page may touch. */
export interface Console {
  readonly state: State;
  readonly settings: Settings;
  readonly faults: Fault[];
  readonly outbox: Outbox;
  readonly now: () => number;
  readonly keys: () => PlatformKeys;
  readonly rotate: () => Promise<void>;
  readonly desk: (merchant: Merchant) => Desk;
}

/** A wrong request to the control API; its words go back with 400. */
export class ControlError extends Error {
  /** 503 where the product was busy and did nothing: whoever asked may ask again. */
  readonly status: 400 | 503;
  constructor(message: string, status: 400 | 503 = 400) {
    super(message);
    this.status = status;
  }
}

type Action = (console: Console, given: Bag, url: URL) => object | Promise<object>;

/** The calls under /_control, by verb and name; README.md describes them. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  "POST merchants": (console, given) => {
    const merchant = readMerchant(given);
    console.state.save("merchant", merchant);
    return { platformKeys: publicKeysOf(console.keys()) };
  },
  "POST alipay-apps": (console, given) => {
    console.state.save("merchant", readAlipayApp(given));
    return { publicKeyPem: console.keys().publicKey.publicKeyPem };
  },
  "POST acquirers": (console, given) => {
    const merchant = readAcquirerMerchant(given);
    console.state.save("merchant", merchant);
    const { publicKey, sm2 } = console.keys();
    return { publicKey: merchant.acquirer?.mapping.signing.algorithm === "SM2-SM3" ? sm2.publicKey : publicKey.publicKeyPem };
  },
  "GET platform-keys": (console) => ({ platformKeys: publicKeysOf(console.keys()) }),
  "POST rates": (console, given) => {
    const merchant = console.state.merchants.get(text(given["mchId"]));
    if (!merchant) throw new ControlError("商户号未登记");
    const rates = Object.fromEntries(Object.entries(bag(given["rates"])).filter(([, rate]) => typeof rate === "number")) as Record<
      string,
      number
    >;
    console.state.save("merchant", { ...merchant, rates: { ...merchant.rates, ...rates } });
    return { rates: { ...merchant.rates, ...rates } };
  },
  "POST rotate": async (console) => {
    await console.rotate();
    return { platformKeys: publicKeysOf(console.keys()) };
  },
  "POST pay": (console, given) => {
    const orders = Array.isArray(given["orders"]) ? given["orders"].map(bag) : [given];
    return { paid: orders.map((order) => payOrder(console, order)) };
  },
  "POST trades": (console, given) => {
    const trades = Array.isArray(given["trades"]) ? given["trades"].map(bag) : [];
    for (const trade of trades) console.state.save("trade", pastTrade(trade));
    return { taken: trades.length };
  },
  "POST past-refunds": (console, given) => {
    const refunds = Array.isArray(given["refunds"]) ? given["refunds"].map(bag) : [];
    for (const refund of refunds) console.state.save("refund", pastRefund(console, refund));
    return { taken: refunds.length };
  },
  "POST cancel": (console, given) => {
    const trade = findTrade(console, given);
    if (trade.state !== "NOTPAY" && trade.state !== "USERPAYING") throw new ControlError(`订单已是 ${trade.state}`);
    const state = trade.tradeType === "MICROPAY" ? "PAYERROR" : "NOTPAY";
    console.state.save("trade", { ...trade, state, payAt: null, dismissed: true });
    return { outTradeNo: trade.outTradeNo, state };
  },
  "POST refund": (console, given) => {
    const all = Array.isArray(given["refunds"]) ? given["refunds"].map(bag) : [given];
    return { refunds: all.map((one) => decideRefund(console, one)) };
  },
  "POST share-return": (console, given) => {
    const found = [...console.state.shareReturns.values()].find((one) => one.outReturnNo === text(given["outReturnNo"]));
    if (!found) throw new ControlError("没有这个回退单");
    const fail = text(given["failReason"]);
    const { result } = settleReturn({ state: console.state, now: console.now(), enqueue: console.outbox.enqueue }, found, fail || null);
    return { outReturnNo: found.outReturnNo, result };
  },
  "POST transfer": (console, given) => {
    const decided = decideTransfer({ state: console.state, now: console.now(), enqueue: console.outbox.enqueue }, given);
    if (!decided) throw new ControlError("没有这笔转账，或 result 不正确");
    return { outBillNo: decided.outBillNo, state: decided.state };
  },
  "GET applyments": ({ state }) => ({ applyments: applymentsOf(state) }),
  "POST applyment": (console, given) => {
    const acted = actOnApplyment({ state: console.state, settings: console.settings, now: console.now() }, given);
    if (!acted) throw new ControlError("没有这张申请单，或现在不能这样做");
    return acted;
  },
  "GET coupons": (console, _given, url) => showCoupons(console, url),
  "POST coupons": (console, given) => {
    const changed = changeCoupons(console, given);
    if (!changed) throw new ControlError("没有这个批次或券码");
    return changed;
  },
  "POST faults": (console, given) => {
    const fault = readFault(given);
    if (!fault) throw new ControlError("未知的故障类型");
    console.faults.push(fault);
    return { faults: console.faults };
  },
  "GET faults": (console) => ({ faults: console.faults }),
  "DELETE faults": (console) => {
    console.faults.splice(0);
    return { faults: [] };
  },
  "GET settings": (console) => console.settings,
  "POST settings": (console, given) => {
    if (typeof given["speed"] === "number" && given["speed"] > 0) console.settings.speed = given["speed"];
    const after = given["refundAfter_ms"];
    if (after === null || (typeof after === "number" && after >= 0)) console.settings.refundAfter_ms = after;
    if (typeof given["masks"] === "boolean") console.settings.masks = given["masks"];
    const key = given["notificationKey"];
    if (key === "public-key" || key === "certificate" || key === "alternate") console.settings.notificationKey = key;
    return console.settings;
  },
  "GET trade": (console, _given, url) => {
    const trade = findTrade(console, Object.fromEntries(url.searchParams));
    const shares = console.state.sharesOf(trade.key);
    const returns = shares.flatMap((share) => console.state.returnsOf(share.key));
    return { trade, refunds: console.state.refundsOf(trade.key), shares, returns, wire: tradeBody(trade) };
  },
  "GET book": ({ state }) => ({
    trades: [...state.trades.values()],
    refunds: [...state.refunds.values()],
    shares: [...state.shares.values()],
    shareReturns: [...state.shareReturns.values()],
    transfers: [...state.transfers.values()],
  }),
  "GET notices": (console) => ({ pending: [...console.state.notices.values()], recent: console.outbox.recent() }),
  "GET phone": phone,
};

/** What the page shows: what may be paid, what was paid lately, and the refunds on their way. */
function phone(console: Console): object {
  const shown = (trade: Trade) => {
    const { key, outTradeNo, tradeType, wallet, description, total, state, codeUrl, subMchId, mchId, createdAt, paidAt, dismissed } = trade;
    return {
      key,
      outTradeNo,
      tradeType,
      wallet,
      description,
      total,
      state,
      codeUrl,
      merchant: subMchId ?? mchId,
      createdAt,
      paidAt,
      dismissed,
    };
  };
  const open = [...console.state.open].slice(-50).flatMap((key) => console.state.trades.get(key) ?? []);
  const refunds = [...console.state.processing].slice(-50).flatMap((key) => {
    const refund = console.state.refunds.get(key);
    const trade = refund && console.state.trades.get(refund.tradeKey);
    return refund && trade
      ? [{ key, outRefundNo: refund.outRefundNo, amount: refund.amount, reason: refund.reason, description: trade.description }]
      : [];
  });
  return {
    settings: console.settings,
    orders: open.map(shown).toReversed(),
    refunds: refunds.toReversed(),
    transfers: openTransfers(console.state),
    applyments: openApplyments({ state: console.state, settings: console.settings, now: console.now() }),
    deliveries: console.outbox.recent().slice(0, 10),
  };
}

function payOrder(console: Console, given: Bag): object {
  const found = findTrade(console, given);
  const merchant = console.state.merchants.get(found.mchId);
  if (!merchant) throw new ControlError("商户未登记");
  const asked = given["paidAt"] === undefined ? console.now() : momentOf(given["paidAt"]);
  // A payment in the past happens before the order could run out.
  const trade = currentTrade({ ...console.desk(merchant), now: asked }, found);
  if (trade.state !== "NOTPAY" && trade.state !== "USERPAYING") throw new ControlError(`订单已是 ${trade.state}，不能支付`);
  const discount = given["discount_cents"];
  const coupons = typeof discount === "number" && discount > 0 && discount < trade.total ? [merchantCoupon(discount)] : [];
  const openId = text(given["openId"]);
  const paid = completePayment(console.desk(merchant), trade, { paidAt: asked, coupons, ...(openId ? { openId } : {}) });
  return { outTradeNo: paid.outTradeNo, transactionId: paid.transactionId };
}

/** A coupon that the merchant bears. */
function merchantCoupon(amount: number): Trade["coupons"][number] {
  const shares = { wechatpay_contribute: 0, merchant_contribute: amount, other_contribute: 0 };
  return { coupon_id: randomDigits(10), name: "商家优惠", type: "NOCASH", amount, stock_id: randomDigits(8), ...shares };
}

function decideRefund(console: Console, given: Bag): object {
  const number = text(given["outRefundNo"]);
  const result = given["result"] ?? "SUCCESS";
  if (result !== "SUCCESS" && result !== "CLOSED" && result !== "ABNORMAL" && result !== "PROCESSING")
    throw new ControlError("result 须为 SUCCESS、CLOSED、ABNORMAL 或 PROCESSING");
  const key = text(given["key"]);
  const all = key ? [key] : [...console.state.processing, ...console.state.refunds.keys()];
  const refund = all.map((one) => console.state.refunds.get(one)).find((one) => one && (key !== "" || one.outRefundNo === number));
  const trade = refund && console.state.trades.get(refund.tradeKey);
  const merchant = trade && console.state.merchants.get(trade.mchId);
  if (!refund || !merchant) throw new ControlError("没有这个退款单");
  if (result === "PROCESSING") {
    console.state.save("refund", { ...refund, held: true });
    return { outRefundNo: refund.outRefundNo, state: refund.state };
  }
  const at = given["successAt"] === undefined ? console.now() : momentOf(given["successAt"]);
  const settled = settleRefund(console.desk(merchant), refund, result, at);
  return { outRefundNo: settled.outRefundNo, state: settled.state };
}

/** A payment of the past, made before this simulator was asked; nobody is notified. It can be queried and refunded. */
function pastTrade(given: Bag): Trade {
  const paidAt = momentOf(given["paidAt"]);
  const mchId = text(given["mchId"]);
  const subMchId = text(given["subMchId"]) || null;
  const outTradeNo = text(given["outTradeNo"]);
  const total = Number(given["total"]);
  if (!Number.isSafeInteger(total) || total < 1 || outTradeNo === "" || mchId === "") throw new ControlError("订单不完整");
  const nothing = {
    notifyUrl: null,
    expiresAt: null,
    codeUrl: null,
    prepayId: null,
    deviceId: null,
    payAt: null,
    revokedAt: null,
    coupons: Array.isArray(given["coupons"]) ? (given["coupons"] as Trade["coupons"]) : [],
    dismissed: false,
    profitSharing: given["profitSharing"] === true,
  } as const;
  return {
    ...nothing,
    key: tradeKey(mchId, subMchId, outTradeNo),
    mchId,
    subMchId,
    appId: text(given["appId"]),
    outTradeNo,
    total,
    wallet: given["wallet"] === "alipay" || given["wallet"] === "unionpay" ? given["wallet"] : "wechat",
    tradeType: given["tradeType"] === "NATIVE" || given["tradeType"] === "JSAPI" ? given["tradeType"] : "MICROPAY",
    description: text(given["description"]),
    fingerprint: "",
    createdAt: paidAt,
    state: "SUCCESS",
    openId: text(given["openId"]),
    transactionId: text(given["transactionId"]),
    paidAt,
    profitSharing: given["profitSharing"] === true,
  };
}

/** A refund of the past that went through; its payment is known. */
function pastRefund(console: Console, given: Bag): Refund {
  const trade = findTrade(console, given);
  const outRefundNo = text(given["outRefundNo"]);
  const amount = Number(given["amount"]);
  if (!Number.isSafeInteger(amount) || amount < 1 || outRefundNo === "") throw new ControlError("退款不完整");
  return {
    key: refundKey(trade.mchId, trade.subMchId, outRefundNo),
    tradeKey: trade.key,
    refundId: text(given["refundId"]) || `50${randomDigits(26)}`,
    outRefundNo,
    amount,
    reason: text(given["reason"]),
    notifyUrl: null,
    createdAt: momentOf(given["at"] ?? given["successAt"]),
    state: "SUCCESS",
    successAt: momentOf(given["successAt"]),
  };
}

/** By key, code_url, prepay_id, or out_trade_no; the last may need the merchant beside it. */
function findTrade(console: Console, given: Bag): Trade {
  const { state } = console;
  const code = text(given["codeUrl"]) || text(given["prepayId"]);
  const byCode = () =>
    [...state.open].flatMap((key) => state.trades.get(key) ?? []).filter((trade) => trade.codeUrl === code || trade.prepayId === code);
  const key = state.trades.get(text(given["key"]));
  const found = key ? [key] : code ? byCode() : state.tradesOf(text(given["outTradeNo"]));
  const merchant = text(given["subMchId"]) || text(given["mchId"]);
  const mine = merchant ? found.filter((trade) => trade.subMchId === merchant || trade.mchId === merchant) : found;
  if (mine.length > 1) throw new ControlError("多个商户有这个单号，请给出 mchId 或 subMchId");
  const trade = mine[0];
  if (!trade) throw new ControlError("没有这个订单");
  return trade;
}

function readMerchant(given: Bag): Merchant {
  const apiV3Key = text(given["apiV3Key"]);
  const publicKeyPem = text(given["publicKeyPem"]);
  if (!/^\d{8,10}$/.test(text(given["mchId"]))) throw new ControlError("mchId 须为 8 到 10 位数字");
  if (Buffer.byteLength(apiV3Key) !== 32) throw new ControlError("apiV3Key 须为 32 个字节");
  if (!/^[0-9A-F]{16,40}$/i.test(text(given["certSerial"]))) throw new ControlError("certSerial 不正确");
  readable(publicKeyPem);
  const feeRate = typeof given["feeRate"] === "number" ? given["feeRate"] : 600;
  return {
    mchId: text(given["mchId"]),
    appId: text(given["appId"]) || null,
    certSerial: text(given["certSerial"]),
    publicKeyPem,
    apiV3Key,
    ...(/^\w{32}$/.test(text(given["apiKey"])) && { apiKey: text(given["apiKey"]) }),
    feeRate,
  };
}

/** An application at Alipay: its own merchant, or tokens of those that it acts for. */
function readAlipayApp(given: Bag): Merchant {
  const appId = text(given["appId"]);
  const publicKeyPem = text(given["publicKeyPem"]);
  const sellerId = text(given["sellerId"]) || null;
  const tokens = Object.fromEntries(Object.entries(bag(given["tokens"])).map(([token, seller]) => [token, text(seller)]));
  if (!/^\d{16}$/.test(appId)) throw new ControlError("appId 须为 16 位数字");
  for (const seller of [...(sellerId ? [sellerId] : []), ...Object.values(tokens)])
    if (!/^2088\d{12}$/.test(seller)) throw new ControlError("商户号须为 2088 开头的 16 位数字");
  readable(publicKeyPem);
  const feeRate = typeof given["feeRate"] === "number" ? given["feeRate"] : 600;
  const gateway = text(given["gateway"]);
  const shown = bag(given["certificates"]);
  const certificates = shown["appSn"] ? (shown as unknown as NonNullable<NonNullable<Merchant["alipay"]>["certificates"]>) : undefined;
  return {
    mchId: appId,
    appId,
    certSerial: "",
    publicKeyPem,
    apiV3Key: "",
    feeRate,
    alipay: { sellerId, tokens, ...(gateway && { gateway }), ...(certificates && { certificates }) },
  };
}
/** A merchant at an acquirer, with the acquirer's dialect as data. */
function readAcquirerMerchant(given: Bag): Merchant {
  const channel = Number(given["channel"]);
  const merchantNo = text(given["merchantNo"]);
  const mapping = bag(given["mapping"]) as unknown as Dialect;
  if (!Number.isInteger(channel) || merchantNo === "" || !bag(given["mapping"])["names"]) throw new ControlError("收单商户不完整");
  if (mapping.signing.algorithm === "RSA-SHA256") readable(text(given["publicKey"]));
  const feeRate = typeof given["feeRate"] === "number" ? given["feeRate"] : 600;
  const common = { appId: null, certSerial: "", apiV3Key: "", feeRate };
  return {
    ...common,
    mchId: `A${channel}-${merchantNo}`,
    publicKeyPem: text(given["publicKey"]),
    acquirer: { channel, merchantNo, mapping },
  };
}
function readable(publicKeyPem: string): void {
  try {
    createPublicKey(publicKeyPem);
  } catch {
    throw new ControlError("publicKeyPem 不正确");
  }
}

function momentOf(given: unknown): number {
  const at = typeof given === "number" ? given : Date.parse(text(given));
  if (!Number.isFinite(at)) throw new ControlError("时间不正确");
  return at;
}
