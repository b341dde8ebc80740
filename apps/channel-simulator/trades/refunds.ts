import { randomDigits } from "../keys.ts";
import { tradeKey } from "./read-order.ts";
import { bag, refuse, text } from "../reply.ts";
import type { Bag, Desk, Reply } from "../reply.ts";
import type { Refund, RefundState, Trade } from "../state.ts";
import { currentTrade } from "./trades.ts";
import { rfc3339 } from "../wire.ts";

const YEAR_MS = 365 * 86_400_000;
const MOST_PARTS = 50;

export const refundKey = (mchId: string, subMchId: string | null, outRefundNo: string) => `${mchId}/${subMchId ?? ""}/${outRefundNo}`;

/** 申请退款: one number is one refund, at most 50 of an order, never more than its total, within a year. */
export function applyRefund(desk: Desk, body: Bag): Reply {
  const { state, merchant, now } = desk;
  const subMchId = text(body["sub_mchid"]) || null;
  const outRefundNo = text(body["out_refund_no"]);
  const amount = bag(body["amount"]);
  const asked = amount["refund"];
  if (!/^[0-9A-Za-z_\-|*@]{1,64}$/.test(outRefundNo)) return refuse(400, "PARAM_ERROR", "out_refund_no 格式不正确");
  if (typeof asked !== "number" || !Number.isSafeInteger(asked) || asked < 1 || amount["currency"] !== "CNY")
    return refuse(400, "PARAM_ERROR", "amount 不正确");
  if (text(body["reason"]).length > 80) return refuse(400, "PARAM_ERROR", "reason 不能超过 80 个字符");
  const number = text(body["transaction_id"]);
  const found = number
    ? state.tradeOfTransaction(number)
    : state.trades.get(tradeKey(merchant.mchId, subMchId, text(body["out_trade_no"])));
  if (!found || found.mchId !== merchant.mchId || found.subMchId !== subMchId) return refuse(404, "RESOURCE_NOT_EXISTS", "订单不存在");
  const trade = currentTrade(desk, found);

  const key = refundKey(merchant.mchId, subMchId, outRefundNo);
  const known = state.refunds.get(key);
  if (known) {
    const same = known.tradeKey === trade.key && known.amount === asked && amount["total"] === trade.total;
    return same
      ? { status: 200, body: refundBody(trade, known) }
      : refuse(400, "INVALID_REQUEST", "退款单号已使用，参数与首次请求时不一致");
  }
  if (trade.state !== "SUCCESS" && trade.state !== "REFUND") return refuse(400, "INVALID_REQUEST", "订单未支付，不能退款");
  if (amount["total"] !== trade.total) return refuse(400, "INVALID_REQUEST", "订单金额与原订单不一致");
  if (now - (trade.paidAt ?? 0) > YEAR_MS) return refuse(403, "TRADE_OVERDUE", "订单已超过可退款的期限");
  // A closed refund gave its money back to the merchant, so it no longer counts.
  const before = state.refundsOf(trade.key).filter((refund) => refund.state !== "CLOSED");
  if (before.length >= MOST_PARTS) return refuse(400, "INVALID_REQUEST", "退款次数超过 50 次");
  if (before.reduce((sum, refund) => sum + refund.amount, asked) > trade.total)
    return refuse(400, "INVALID_REQUEST", "退款金额大于可退金额");

  const refund: Refund = {
    key,
    tradeKey: trade.key,
    refundId: `5030${randomDigits(4)}${rfc3339(now).slice(0, 10).replaceAll("-", "")}${randomDigits(12)}`,
    outRefundNo,
    amount: asked,
    reason: text(body["reason"]),
    notifyUrl: text(body["notify_url"]) || null,
    createdAt: now,
    state: "PROCESSING",
    successAt: null,
  };
  state.save("refund", refund);
  state.save("trade", { ...trade, state: "REFUND" });
  return { status: 200, body: refundBody(trade, refund) };
}

/** 查询单笔退款. */
export function queryRefund(desk: Desk, subMchId: string | null, outRefundNo: string): Reply {
  const refund = desk.state.refunds.get(refundKey(desk.merchant.mchId, subMchId, outRefundNo));
  const trade = refund && desk.state.trades.get(refund.tradeKey);
  return refund && trade ? { status: 200, body: refundBody(trade, refund) } : refuse(404, "RESOURCE_NOT_EXISTS", "退款单不存在");
}

/** 发起异常退款: an abnormal one goes to the payer's debit card, or to the merchant's own account. */
export function redirectRefund(desk: Desk, refundId: string, body: Bag): Reply {
  const subMchId = text(body["sub_mchid"]) || null;
  const refund = desk.state.refunds.get(refundKey(desk.merchant.mchId, subMchId, text(body["out_refund_no"])));
  const trade = refund && desk.state.trades.get(refund.tradeKey);
  if (!refund || !trade || refund.refundId !== refundId) return refuse(404, "RESOURCE_NOT_EXISTS", "退款单不存在");
  if (refund.state !== "ABNORMAL") return refuse(400, "INVALID_REQUEST", "退款单状态不是退款异常");
  const [type, bank] = [text(body["type"]), text(body["bank_type"])];
  if (type !== "USER_BANK_CARD" && type !== "MERCHANT_BANK_CARD") return refuse(400, "PARAM_ERROR", "type 不正确");
  if (type === "USER_BANK_CARD") {
    const [account, name] = [desk.open(text(body["bank_account"])), desk.open(text(body["real_name"]))];
    if (!/^[A-Z]+_DEBIT$/.test(bank)) return refuse(400, "PARAM_ERROR", "bank_type 须为借记卡");
    if (account === undefined || name === undefined) return refuse(400, "PARAM_ERROR", "敏感信息解密失败");
    if (!/^\d{12,19}$/.test(account)) return refuse(400, "PARAM_ERROR", "银行卡号不正确");
  }
  const again: Refund = { ...refund, state: "PROCESSING", createdAt: desk.now };
  desk.state.save("refund", again);
  return { status: 200, body: refundBody(trade, again) };
}

/** A refund comes to its end; whoever asked for it is told. A decided one stays as it is. */
export function settleRefund(
  desk: Pick<Desk, "state" | "enqueue">,
  refund: Refund,
  result: Exclude<RefundState, "PROCESSING">,
  at: number,
): Refund {
  const trade = desk.state.trades.get(refund.tradeKey);
  // ABNORMAL may still be put right by the merchant; SUCCESS and CLOSED are final.
  if (!trade || refund.state === "SUCCESS" || refund.state === "CLOSED") return refund;
  const settled: Refund = { ...refund, state: result, successAt: result === "SUCCESS" ? at : null };
  desk.state.save("refund", settled);
  if (settled.notifyUrl) {
    const eventType = `REFUND.${result}`;
    desk.enqueue({
      mchId: trade.mchId,
      url: settled.notifyUrl,
      eventType,
      kind: "refund",
      number: refund.outRefundNo,
      resource: desk.state.merchants.get(trade.mchId)?.acquirer ? { trade: trade.key, refund: settled.key } : refundNotice(trade, settled),
    });
  }
  return settled;
}

const RECEIVED = "支付用户零钱";

function amounts(
  trade: Trade,
  refund: Refund,
): { readonly total: number; readonly refund: number; readonly payer_total: number; readonly payer_refund: number } {
  const off = trade.coupons.reduce((sum, coupon) => sum + coupon.amount, 0);
  const payerTotal = trade.total - off;
  return {
    total: trade.total,
    refund: refund.amount,
    payer_total: payerTotal,
    payer_refund: Math.round((refund.amount * payerTotal) / trade.total),
  };
}

function refundBody(trade: Trade, refund: Refund): object {
  const money = amounts(trade, refund);
  return {
    refund_id: refund.refundId,
    out_refund_no: refund.outRefundNo,
    transaction_id: trade.transactionId,
    out_trade_no: trade.outTradeNo,
    channel: "ORIGINAL",
    user_received_account: RECEIVED,
    ...(refund.successAt === null ? {} : { success_time: rfc3339(refund.successAt) }),
    create_time: rfc3339(refund.createdAt),
    status: refund.state,
    funds_account: "UNSETTLED",
    amount: {
      ...money,
      settlement_total: money.total,
      settlement_refund: money.refund,
      discount_refund: money.refund - money.payer_refund,
      currency: "CNY",
    },
  };
}

function refundNotice(trade: Trade, refund: Refund): Record<string, unknown> {
  return {
    ...(trade.subMchId === null ? { mchid: trade.mchId } : { sp_mchid: trade.mchId, sub_mchid: trade.subMchId }),
    transaction_id: trade.transactionId,
    out_trade_no: trade.outTradeNo,
    refund_id: refund.refundId,
    out_refund_no: refund.outRefundNo,
    refund_status: refund.state,
    ...(refund.successAt === null ? {} : { success_time: rfc3339(refund.successAt) }),
    user_received_account: RECEIVED,
    amount: amounts(trade, refund),
  };
}
