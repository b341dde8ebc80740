import { randomBytes } from "node:crypto";
import { randomDigits } from "../keys.ts";
import { readOrder, tradeKey } from "./read-order.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Coupon, Trade } from "../state.ts";
import { rfc3339 } from "../wire.ts";

const SEVEN_DAYS_MS = 7 * 86_400_000;
/** How long the customer types a password, before `speed`. */
export const TYPING_MS = 3_000;

/** The last eight digits of a code decide what it does; any other code pays at once. README.md lists them. */
export const SPECIAL_CODES = {
  "00000001": "typing-then-paid",
  "00000002": "not-enough",
  "00000003": "typing-for-ever",
  "00000004": "code-expired",
  "00000005": "system-error-but-paid",
  "00000006": "system-error",
  "00000007": "account-error",
  "00000008": "coupon",
  "00000010": "refused-but-open",
} as const;

/** 下单: native, jsapi, and code-pay, which also pays. */
export function placeOrder(desk: Desk, kind: "NATIVE" | "JSAPI" | "MICROPAY", partner: boolean, body: Bag): Reply {
  const given = readOrder(desk, kind, partner, body);
  if ("status" in given) return given;
  const known = desk.state.trades.get(given.key);
  if (known) return repeated(currentTrade(desk, known), given);
  if (kind === "MICROPAY") return payByCode(desk, given, text(bag(body["payer"])["auth_code"]));
  desk.state.save("trade", given);
  return { status: 200, body: given.codeUrl ? { code_url: given.codeUrl } : { prepay_id: given.prepayId } };
}

/** The same number again: the same answer while it is open, an error once it is not. */
function repeated(known: Trade, given: Trade): Reply {
  if (known.fingerprint !== given.fingerprint) return refuse(400, "INVALID_REQUEST", "请求重入时，参数与首次请求时不一致");
  if (known.state === "CLOSED" || known.state === "REVOKED") return refuse(400, "ORDER_CLOSED", "订单已关闭");
  if (known.state === "SUCCESS" || known.state === "REFUND") return refuse(400, "ORDERPAID", "该订单已支付");
  if (known.tradeType !== "MICROPAY")
    return { status: 200, body: known.codeUrl ? { code_url: known.codeUrl } : { prepay_id: known.prepayId } };
  if (known.state === "USERPAYING") return userPaying(known);
  return refuse(403, "OUT_TRADE_NO_USED", "商户订单号重复");
}

function payByCode(desk: Desk, trade: Trade, code: string): Reply {
  const special = SPECIAL_CODES[code.slice(-8) as keyof typeof SPECIAL_CODES];
  switch (special) {
    case "system-error":
      return refuse(500, "SYSTEM_ERROR", "系统异常，请稍后重试");
    case "not-enough":
      return failed(desk, trade, refuse(403, "NOT_ENOUGH", "用户账户余额不足"));
    case "code-expired":
      return failed(desk, trade, refuse(403, "TRADE_ERROR", "付款码已过期，请刷新再试"));
    case "account-error":
      return failed(desk, trade, refuse(403, "ACCOUNT_ERROR", "用户账号异常"));
    case "refused-but-open":
      desk.state.save("trade", trade);
      return refuse(400, "PARAM_ERROR", "参数错误");
    case "typing-then-paid":
    case "typing-for-ever": {
      const payAt = special === "typing-for-ever" ? null : desk.now + TYPING_MS / desk.settings.speed;
      const typing: Trade = { ...trade, state: "USERPAYING", payAt };
      desk.state.save("trade", typing);
      return userPaying(typing);
    }
    default: {
      const coupons = special === "coupon" ? [couponOf(trade.total)] : [];
      const paid = completePayment(desk, trade, { paidAt: desk.now, coupons });
      if (special === "system-error-but-paid") return refuse(500, "SYSTEM_ERROR", "系统异常，请稍后重试");
      return { status: 200, body: tradeBody(paid) };
    }
  }
}

function failed(desk: Desk, trade: Trade, reply: Reply): Reply {
  desk.state.save("trade", { ...trade, state: "PAYERROR" });
  return reply;
}
const userPaying = (trade: Trade): Reply => ({
  status: 202,
  body: { code: "USERPAYING", message: "需要用户输入支付密码", ...tradeBody(trade) },
});

/** A tenth of the total off, at least a cent, paid half by the channel and half by the merchant. */
export function couponOf(total: number): Coupon {
  const amount = Math.max(1, Math.floor(total / 10));
  const channel = Math.floor(amount / 2);
  const shares = { wechatpay_contribute: channel, merchant_contribute: amount - channel, other_contribute: 0 };
  return { coupon_id: randomDigits(10), name: "满减券", type: "NOCASH", amount, stock_id: randomDigits(8), ...shares };
}

/** Money moves: the trade is paid, and whoever asked for it is told. */
export function completePayment(desk: Desk, trade: Trade, how: { paidAt: number; openId?: string; coupons?: readonly Coupon[] }): Trade {
  const day = rfc3339(how.paidAt).slice(0, 10).replaceAll("-", "");
  const paid: Trade = {
    ...trade,
    state: "SUCCESS",
    payAt: null,
    paidAt: how.paidAt,
    openId: how.openId ?? trade.openId ?? (desk.merchant.alipay ? `2088${randomDigits(12)}` : `oSim${randomBytes(12).toString("hex")}`),
    transactionId: desk.merchant.alipay
      ? (trade.prepayId ?? `${day}22001${randomDigits(15)}`)
      : `4200${randomDigits(6)}${day}${randomDigits(10)}`,
    coupons: how.coupons ?? trade.coupons,
  };
  desk.state.save("trade", paid);
  if (paid.notifyUrl) {
    const { mchId, outTradeNo: number } = paid;
    const resource = desk.merchant.alipay || desk.merchant.acquirer ? { trade: paid.key } : tradeBody(paid);
    desk.enqueue({ mchId, url: paid.notifyUrl, eventType: "TRANSACTION.SUCCESS", kind: "transaction", number, resource });
  }
  return paid;
}

/** What time has done meanwhile: a password typed, an order run out. */
export function currentTrade(desk: Desk, trade: Trade): Trade {
  if (trade.state === "USERPAYING" && trade.payAt !== null && trade.payAt <= desk.now)
    return completePayment(desk, trade, { paidAt: trade.payAt });
  if (trade.state === "NOTPAY" && trade.expiresAt !== null && trade.expiresAt <= desk.now) {
    const closed: Trade = { ...trade, state: "CLOSED" };
    desk.state.save("trade", closed);
    return closed;
  }
  return trade;
}

/** 查询订单, by either number. */
export function queryOrder(desk: Desk, subMchId: string | null, by: "out-trade-no" | "id", number: string): Reply {
  const key = by === "id" ? desk.state.tradeOfTransaction(number)?.key : tradeKey(desk.merchant.mchId, subMchId, number);
  const trade = desk.state.trades.get(key ?? "");
  if (!trade || trade.mchId !== desk.merchant.mchId || trade.subMchId !== subMchId) return refuse(404, "ORDER_NOT_EXIST", "订单不存在");
  return { status: 200, body: tradeBody(currentTrade(desk, trade)) };
}

/** 关闭订单. Closing again, or closing a number nobody knows, is 204 too (developers.weixin.qq.com, reports). */
export function closeOrder(desk: Desk, subMchId: string | null, outTradeNo: string): Reply {
  const found = desk.state.trades.get(tradeKey(desk.merchant.mchId, subMchId, outTradeNo));
  const trade = found && currentTrade(desk, found);
  if (!trade || trade.state === "CLOSED") return { status: 204 };
  if (trade.tradeType === "MICROPAY") return refuse(400, "INVALID_REQUEST", "付款码订单请调用撤销");
  if (trade.state !== "NOTPAY") return refuse(400, "ORDERPAID", "该订单已支付");
  desk.state.save("trade", { ...trade, state: "CLOSED" });
  return { status: 204 };
}

/** 撤销: unpaid is ended, paid is given back, both are REVOKED; within seven days, and code-pay only. */
export function reverseOrder(desk: Desk, subMchId: string | null, outTradeNo: string): Reply {
  const found = desk.state.trades.get(tradeKey(desk.merchant.mchId, subMchId, outTradeNo));
  const trade = found && currentTrade(desk, found);
  if (!trade) return refuse(404, "ORDER_NOT_EXIST", "订单不存在");
  if (trade.tradeType !== "MICROPAY") return refuse(400, "INVALID_REQUEST", "只有付款码订单可以撤销");
  if (desk.now - trade.createdAt > SEVEN_DAYS_MS) return refuse(400, "INVALID_REQUEST", "订单已超过可撤销的期限");
  if (trade.state === "REFUND") return refuse(400, "INVALID_REQUEST", "订单已转入退款");
  if (trade.state !== "REVOKED") desk.state.save("trade", { ...trade, state: "REVOKED", payAt: null, revokedAt: desk.now });
  const { mchId, appId } = trade;
  const whose = subMchId === null ? { appid: appId, mchid: mchId } : { sp_appid: appId, sp_mchid: mchId, sub_mchid: subMchId };
  return { status: 200, body: { ...whose, out_trade_no: outTradeNo } };
}

const SAID: Readonly<Record<Trade["state"], string>> = {
  NOTPAY: "订单未支付",
  USERPAYING: "需要用户输入支付密码",
  SUCCESS: "支付成功",
  REFUND: "转入退款",
  CLOSED: "已关闭",
  REVOKED: "已撤销",
  PAYERROR: "支付失败，请撤销订单",
};

/** The shape that the query, the code-pay answer and the notification share. */
export function tradeBody(trade: Trade): Record<string, unknown> {
  const direct = trade.subMchId === null;
  const off = trade.coupons.reduce((sum, coupon) => sum + coupon.amount, 0);
  const paid = trade.paidAt === null ? {} : { payer_total: trade.total - off, payer_currency: "CNY" };
  return {
    ...(direct ? { appid: trade.appId, mchid: trade.mchId } : { sp_appid: trade.appId, sp_mchid: trade.mchId, sub_mchid: trade.subMchId }),
    out_trade_no: trade.outTradeNo,
    trade_type: trade.tradeType,
    trade_state: trade.state,
    trade_state_desc: SAID[trade.state],
    ...(trade.transactionId ? { transaction_id: trade.transactionId } : {}),
    ...(trade.paidAt === null ? {} : { bank_type: "OTHERS", success_time: rfc3339(trade.paidAt) }),
    ...(trade.openId ? { payer: direct ? { openid: trade.openId } : { sp_openid: trade.openId } } : {}),
    amount: { total: trade.total, currency: "CNY", ...paid },
    ...(trade.deviceId ? { scene_info: { device_id: trade.deviceId } } : {}),
    ...(trade.coupons.length > 0
      ? { promotion_detail: trade.coupons.map((coupon) => ({ ...coupon, scope: "GLOBAL", currency: "CNY" })) }
      : {}),
  };
}
