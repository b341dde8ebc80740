import { randomBytes } from "node:crypto";
import { randomDigits } from "../keys.ts";
import { tradeKey } from "../trades/read-order.ts";
import { bag, text } from "../reply.ts";
import type { Bag, Desk } from "../reply.ts";
import type { Refund, Trade } from "../state.ts";
import { completePayment, couponOf, currentTrade, SPECIAL_CODES, TYPING_MS } from "../trades/trades.ts";
import { rfc3339 } from "../wire.ts";

/** A node of an answer before it is signed. */
export type Node = Readonly<Record<string, unknown>>;
export const ok = (more: Node): Node => ({ code: "10000", msg: "Success", ...more });
export const failed = (sub_code: string, sub_msg: string): Node => ({ code: "40004", msg: "Business Failed", sub_code, sub_msg });
const unknown: Node = { code: "20000", msg: "Service Currently Unavailable", sub_code: "isp.unknow-error", sub_msg: "系统繁忙" };

export const yuan = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
export const moment = (at: number): string => rfc3339(at).slice(0, 19).replace("T", " ");
export function centsOf(given: unknown): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text(given));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0")) : undefined;
}

/** alipay.trade.precreate, .create and .pay. */
export function place(desk: Desk, kind: Trade["tradeType"], seller: string | null, content: Bag, notifyUrl: string | null): Node {
  const total = centsOf(content["total_amount"]);
  const outTradeNo = text(content["out_trade_no"]);
  const description = text(content["subject"]);
  const buyer = text(content["buyer_id"]) || text(content["buyer_open_id"]);
  if (!/^[0-9A-Za-z_]{1,64}$/.test(outTradeNo) || total === undefined || total < 1 || !/^[^/=&]{1,256}$/.test(description))
    return failed("ACQ.INVALID_PARAMETER", "参数无效");
  if (kind === "JSAPI" && buyer === "") return failed("ACQ.INVALID_PARAMETER", "缺少买家");
  const minutes = /^(\d{1,4})m$/.exec(text(content["timeout_express"]))?.[1];
  const key = tradeKey(desk.merchant.mchId, seller, outTradeNo);
  const fingerprint = JSON.stringify([kind, description, total, buyer, text(content["auth_code"])]);
  const known = desk.state.trades.get(key);
  if (known) return again(currentTrade(desk, known), fingerprint);
  const trade: Trade = {
    key,
    mchId: desk.merchant.mchId,
    subMchId: seller,
    appId: desk.merchant.mchId,
    outTradeNo,
    tradeType: kind,
    wallet: "alipay",
    description,
    total,
    notifyUrl,
    expiresAt: minutes === undefined ? null : desk.now + Number(minutes) * 60_000,
    codeUrl: kind === "NATIVE" ? `https://qr.alipay.com/bax${randomBytes(10).toString("hex")}` : null,
    prepayId: kind === "JSAPI" ? numberOf(desk.now) : null,
    fingerprint,
    deviceId: text(content["terminal_id"]) || null,
    createdAt: desk.now,
    state: "NOTPAY",
    payAt: null,
    openId: buyer || null,
    transactionId: null,
    paidAt: null,
    revokedAt: null,
    coupons: [],
    dismissed: false,
    profitSharing: text(bag(content["extend_params"])["royalty_freeze"]) === "true",
  };
  if (kind === "MICROPAY") return payByCode(desk, trade, text(content["auth_code"]));
  desk.state.save("trade", trade);
  return shownTo(trade);
}
const shownTo = (trade: Trade): Node =>
  ok({ out_trade_no: trade.outTradeNo, ...(trade.codeUrl ? { qr_code: trade.codeUrl } : { trade_no: trade.prepayId }) });
export const numberOf = (at: number): string => `${rfc3339(at).slice(0, 10).replaceAll("-", "")}22001${randomDigits(15)}`;

function again(known: Trade, fingerprint: string): Node {
  if (known.fingerprint !== fingerprint) return failed("ACQ.CONTEXT_INCONSISTENT", "交易信息被篡改");
  if (known.state === "SUCCESS" || known.state === "REFUND") return failed("ACQ.TRADE_HAS_SUCCESS", "交易已被支付");
  if (known.state === "CLOSED" || known.state === "REVOKED") return failed("ACQ.TRADE_HAS_CLOSE", "交易已经关闭");
  return known.tradeType === "MICROPAY" ? typing(known) : shownTo(known);
}
const typing = (trade: Trade): Node => ({ code: "10003", msg: "order success pay inprocess", ...body(trade) });

function payByCode(desk: Desk, trade: Trade, code: string): Node {
  if (!/^(?:2[5-9]|30)\d{14,22}$/.test(code))
    return failed("ACQ.PAYMENT_AUTH_CODE_INVALID", "支付失败，获取顾客账户信息失败，请顾客刷新付款码后重新收款");
  const special = SPECIAL_CODES[code.slice(-8) as keyof typeof SPECIAL_CODES];
  const no = (sub_code: string, message: string): Node => {
    desk.state.save("trade", { ...trade, state: "PAYERROR" });
    return failed(sub_code, message);
  };
  switch (special) {
    case "system-error":
      return unknown;
    case "not-enough":
      return no("ACQ.BUYER_BALANCE_NOT_ENOUGH", "买家余额不足");
    case "code-expired":
      return no("ACQ.PAYMENT_AUTH_CODE_INVALID", "支付授权码无效");
    case "account-error":
      return no("ACQ.BUYER_ENABLE_STATUS_FORBID", "买家状态非法");
    case "typing-then-paid":
    case "typing-for-ever": {
      const payAt = special === "typing-for-ever" ? null : desk.now + TYPING_MS / desk.settings.speed;
      const open: Trade = { ...trade, state: "USERPAYING", payAt };
      desk.state.save("trade", open);
      return typing(open);
    }
    default: {
      const paid = completePayment(desk, trade, { paidAt: desk.now, coupons: special === "coupon" ? [couponOf(trade.total)] : [] });
      if (special === "system-error-but-paid") return unknown;
      const { trade_status: _status, send_pay_date, ...rest } = body(paid);
      return ok({ ...rest, gmt_payment: send_pay_date });
    }
  }
}

const refundedOf = (refunds: readonly Refund[]): number => refunds.reduce((sum, one) => sum + one.amount, 0);

/** What the merchant itself bears of the discounts: it is not received. */
export const ownOf = (trade: Trade): number => trade.coupons.reduce((sum, coupon) => sum + coupon.merchant_contribute, 0);
/** Fields that the answers share; `trade_status` is the query's. */
function body(trade: Trade, refunded = 0): Record<string, unknown> {
  const off = trade.coupons.reduce((sum, coupon) => sum + coupon.amount, 0);
  return {
    out_trade_no: trade.outTradeNo,
    trade_no: trade.transactionId ?? trade.prepayId ?? numberOf(trade.createdAt),
    trade_status: statusOf(trade, refunded),
    total_amount: yuan(trade.total),
    ...(trade.openId && { buyer_user_id: trade.openId, buyer_logon_id: "139******00" }),
    ...(trade.paidAt !== null && {
      buyer_pay_amount: yuan(trade.total - off),
      receipt_amount: yuan(trade.total - ownOf(trade)),
      send_pay_date: moment(trade.paidAt),
      fund_bill_list: [{ fund_channel: "ALIPAYACCOUNT", amount: yuan(trade.total - off) }],
    }),
    ...(trade.coupons.length > 0 && {
      voucher_detail_list: trade.coupons.map(({ coupon_id, name, amount, merchant_contribute, other_contribute }) => ({
        id: coupon_id,
        name,
        type: "ALIPAY_DISCOUNT_VOUCHER",
        amount: yuan(amount),
        merchant_contribute: yuan(merchant_contribute),
        other_contribute: yuan(other_contribute),
      })),
    }),
  };
}
export function statusOf(trade: Trade, refunded: number): string {
  if (trade.state === "NOTPAY" || trade.state === "USERPAYING") return "WAIT_BUYER_PAY";
  return (trade.state === "SUCCESS" || trade.state === "REFUND") && refunded < trade.total ? "TRADE_SUCCESS" : "TRADE_CLOSED";
}

/** A code that nobody has scanned is no trade yet. */
const unscanned = (trade: Trade): boolean => trade.tradeType === "NATIVE" && trade.transactionId === null;
const absent = failed("ACQ.TRADE_NOT_EXIST", "交易不存在");

export function find(desk: Desk, seller: string | null, content: Bag): Trade | undefined {
  const byNumber = content["trade_no"] ? desk.state.tradeOfTransaction(text(content["trade_no"]))?.key : undefined;
  const trade = desk.state.trades.get(byNumber ?? tradeKey(desk.merchant.mchId, seller, text(content["out_trade_no"])));
  return trade?.mchId === desk.merchant.mchId && trade.subMchId === seller ? currentTrade(desk, trade) : undefined;
}
export function query(desk: Desk, trade: Trade | undefined): Node {
  if (!trade || unscanned(trade)) return absent;
  return ok(body(trade, refundedOf(desk.state.refundsOf(trade.key))));
}
export function close(desk: Desk, trade: Trade | undefined): Node {
  if (!trade || unscanned(trade)) return absent;
  if (trade.state !== "NOTPAY" && trade.state !== "USERPAYING") return failed("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
  desk.state.save("trade", { ...trade, state: "CLOSED", payAt: null });
  return ok({ out_trade_no: trade.outTradeNo, trade_no: trade.transactionId ?? numberOf(desk.now) });
}
/** 撤销: unpaid is closed, paid is given back; a number that nobody knows is fine too. */
export function cancel(desk: Desk, trade: Trade | undefined, outTradeNo: string): Node {
  if (!trade) return ok({ out_trade_no: outTradeNo, retry_flag: "N", action: "close" });
  if (desk.state.refundsOf(trade.key).length > 0) return failed("ACQ.REASON_TRADE_REFUND_FEE_ERR", "退款金额无效");
  const action = trade.paidAt === null ? "close" : "refund";
  desk.state.save("trade", { ...trade, state: "REVOKED", payAt: null, revokedAt: desk.now });
  return ok({ out_trade_no: outTradeNo, trade_no: trade.transactionId ?? numberOf(desk.now), retry_flag: "N", action });
}

const YEAR_MS = 365 * 86_400_000;
export function refund(desk: Desk, trade: Trade | undefined, content: Bag): Node {
  if (!trade || unscanned(trade)) return absent;
  const amount = centsOf(content["refund_amount"]);
  const outRefundNo = text(content["out_request_no"]);
  if (amount === undefined || amount < 1 || !/^[0-9A-Za-z_-]{1,64}$/.test(outRefundNo)) return failed("ACQ.INVALID_PARAMETER", "参数无效");
  if (trade.state !== "SUCCESS" && trade.state !== "REFUND") return failed("ACQ.TRADE_STATUS_ERROR", "交易状态不合法");
  if (desk.now - (trade.paidAt ?? 0) > YEAR_MS) return failed("ACQ.TRADE_HAS_FINISHED", "交易已经完结");
  const before = desk.state.refundsOf(trade.key);
  const known = before.find((one) => one.outRefundNo === outRefundNo);
  if (known && known.amount !== amount) return failed("ACQ.DISCORDANT_REPEAT_REQUEST", "请求信息不一致");
  const sum = refundedOf(before) + (known ? 0 : amount);
  if (sum > trade.total) return failed("ACQ.REASON_TRADE_REFUND_FEE_ERR", "退款金额无效");
  if (!known) {
    const made: Refund = {
      key: `${trade.key}/${outRefundNo}`,
      tradeKey: trade.key,
      refundId: numberOf(desk.now),
      outRefundNo,
      amount,
      reason: text(content["refund_reason"]),
      notifyUrl: trade.notifyUrl,
      createdAt: desk.now,
      state: "SUCCESS",
      successAt: desk.now,
    };
    desk.state.save("refund", made);
    desk.state.save("trade", { ...trade, state: "REFUND" });
    if (trade.notifyUrl)
      desk.enqueue({
        mchId: trade.mchId,
        url: trade.notifyUrl,
        eventType: "REFUND.SUCCESS",
        kind: "refund",
        number: outRefundNo,
        resource: { trade: trade.key, refunded: sum, outRefundNo, at: desk.now },
      });
  }
  return ok({
    out_trade_no: trade.outTradeNo,
    trade_no: trade.transactionId,
    buyer_logon_id: "139******00",
    fund_change: known ? "N" : "Y",
    refund_fee: yuan(sum),
    ...(!known && { gmt_refund_pay: moment(desk.now) }),
  });
}
export function queryRefund(desk: Desk, trade: Trade | undefined, outRefundNo: string): Node {
  if (!trade || unscanned(trade)) return absent;
  const known = desk.state.refundsOf(trade.key).find((one) => one.outRefundNo === outRefundNo);
  if (!known) return ok({});
  return ok({
    out_trade_no: trade.outTradeNo,
    trade_no: trade.transactionId,
    out_request_no: outRefundNo,
    total_amount: yuan(trade.total),
    refund_amount: yuan(known.amount),
    refund_status: "REFUND_SUCCESS",
    gmt_refund_pay: moment(known.successAt ?? known.createdAt),
  });
}
