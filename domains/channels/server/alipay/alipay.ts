import { z } from "zod";
import { NOT_FOUND } from "../channel.ts";
import type { AlipayAccount, Outcome, Payment, PaymentChannel, PaymentOrder, Refund, RefundOrder, Transport } from "../channel.ts";
import { askGateway, keysOf, type Means, meansOf } from "./ask-gateway.ts";
import { readNotification } from "./read-notification.ts";
import { momentOf, readTrade, yuanAmount, yuanText } from "./read-trade.ts";
import * as refusals from "./refusals.ts";

/**
 * Alipay's gateway (openapi.alipay.com) with RSA2, direct and ISV mode. Not verified on a page: see ../../README.md.
 * @param transport carries the requests; a rejection means that no whole answer came
 * @param given the clock, for tests
 */
export function alipay(transport: Transport, given: Partial<Pick<Means, "now">> = {}): PaymentChannel<AlipayAccount> {
  const means = meansOf(transport, given);
  return {
    pay: (account, order) => pay(means, account, order),
    query: (account, by) =>
      askGateway(means, account, {
        method: "alipay.trade.query",
        content: "outTradeNo" in by ? { out_trade_no: by.outTradeNo } : { trade_no: by.transactionId },
        refusals: refusals.QUERY,
        read: (node) => {
          const found = readTrade(node, true);
          const asked = "outTradeNo" in by ? found?.outTradeNo === by.outTradeNo : found?.transactionId === by.transactionId;
          return asked ? found : undefined;
        },
      }),
    close: (account, outTradeNo) =>
      askGateway(means, account, {
        method: "alipay.trade.close",
        content: { out_trade_no: outTradeNo },
        refusals: refusals.CLOSE,
        read: (node) => (numberOf(node) === outTradeNo ? null : undefined),
      }),
    reverse: (account, outTradeNo) =>
      askGateway(means, account, {
        method: "alipay.trade.cancel",
        content: { out_trade_no: outTradeNo },
        refusals: refusals.CANCEL,
        // retry_flag Y says that it did not get to an end.
        read: (node) => (numberOf(node) === outTradeNo && cancelled.safeParse(node).data?.retry_flag !== "Y" ? null : undefined),
      }),
    refund: (account, refund) => applyRefund(means, account, refund),
    queryRefund: (account, outRefundNo, outTradeNo) => queryRefund(means, account, outRefundNo, outTradeNo ?? ""),
    readNotification: (candidates, headers, rawBody) => readNotification(candidates, headers, rawBody, (account) => keysOf(means, account)),
    replyToNotification: (taken) => (taken ? { status: 200, body: "success" } : { status: 400, body: "fail" }),
  };
}

const prepared = z.object({ out_trade_no: z.string(), qr_code: z.string().min(1).optional(), trade_no: z.string().min(1).optional() });
const cancelled = z.object({ retry_flag: z.enum(["Y", "N"]).optional() });
const numberOf = (node: unknown) => z.object({ out_trade_no: z.string() }).safeParse(node).data?.out_trade_no;
const CALLS = { NATIVE: "alipay.trade.precreate", JSAPI: "alipay.trade.create", MICROPAY: "alipay.trade.pay" } as const;

async function pay(means: Means, account: AlipayAccount, order: PaymentOrder): Promise<Outcome<Payment>> {
  // 25 to 30, 16 to 24 digits: alipay.trade.pay, auth_code.
  if (order.tradeType === "MICROPAY" && !/^(?:2[5-9]|30)\d{14,22}$/.test(order.authCode ?? ""))
    return wrong("付款码须为 25 至 30 开头的 16 至 24 位数字");
  if (order.tradeType === "JSAPI" && !order.openId) return wrong("缺少付款人的支付宝用户号");
  const micropay = order.tradeType === "MICROPAY";
  return askGateway<Payment>(means, account, {
    method: CALLS[order.tradeType],
    content: { ...common(means, order), ...own(account, order) },
    notifyUrl: micropay ? undefined : order.notifyUrl,
    refusals: refusals.PAY,
    read: (node, pending) => readPayment(order, node, pending),
  });
}

function common(means: Means, order: PaymentOrder): Record<string, unknown> {
  const minutes = Math.max(1, Math.ceil((Date.parse(order.expiresAt) - means.now().getTime()) / 60_000));
  return {
    out_trade_no: order.outTradeNo,
    total_amount: yuanText(order.amount_cents),
    // Not allowed in a subject: / = & (alipay.trade.pay).
    subject: order.description.replaceAll(/[/=&]/g, " "),
    timeout_express: `${minutes}m`,
    ...(order.tradeType === "NATIVE" && { qr_code_timeout_express: `${minutes}m` }),
    ...(order.storeId && { store_id: order.storeId }),
    ...(order.deviceId && { terminal_id: order.deviceId }),
    // What was paid stays frozen until it was shared or let go (商家分账 接入指南).
    ...(order.profitSharing && { extend_params: { royalty_freeze: "true" } }),
  };
}
function own(account: AlipayAccount, order: PaymentOrder): Record<string, unknown> {
  if (order.tradeType === "MICROPAY") return { scene: "bar_code", auth_code: order.authCode };
  if (order.tradeType === "NATIVE") return {};
  // A number of 16 digits from 2088 on is a user id, anything else an openid of the application.
  const buyer = /^2088\d{12}$/.test(order.openId ?? "") ? { buyer_id: order.openId } : { buyer_open_id: order.openId };
  return { ...buyer, product_code: "JSAPI_PAY", op_app_id: account.appId };
}

function readPayment(order: PaymentOrder, node: unknown, pending: boolean): Payment | undefined {
  if (order.tradeType === "MICROPAY") {
    const transaction = readTrade(node, true, pending ? "USERPAYING" : "SUCCESS");
    return transaction?.outTradeNo === order.outTradeNo ? { kind: "transaction", transaction } : undefined;
  }
  const found = prepared.safeParse(node).data;
  if (pending || found?.out_trade_no !== order.outTradeNo) return undefined;
  if (order.tradeType === "NATIVE") return found.qr_code ? { kind: "code", codeUrl: found.qr_code } : undefined;
  return found.trade_no ? { kind: "client", prepayId: found.trade_no, clientParams: { tradeNO: found.trade_no } } : undefined;
}

const refunded = z.object({
  out_trade_no: z.string(),
  trade_no: z.string(),
  fund_change: z.enum(["Y", "N"]),
  /** The sum of all refunds of the order. */
  refund_fee: yuanAmount,
  gmt_refund_pay: z.string().optional(),
  buyer_logon_id: z.string().max(128).optional(),
});

/**
 * 退款. Code 10000 alone is not enough: only fund_change=Y says that this call moved money; N says that it did not, as for a
 * number that was refunded before, and a query tells which (channels.md 6.1).
 */
async function applyRefund(means: Means, account: AlipayAccount, refund: RefundOrder): Promise<Outcome<Refund>> {
  return askGateway<Refund>(means, account, {
    method: "alipay.trade.refund",
    content: {
      out_trade_no: refund.outTradeNo,
      refund_amount: yuanText(refund.amount_cents),
      out_request_no: refund.outRefundNo,
      refund_reason: refund.reason,
    },
    refusals: refusals.REFUND,
    read: (node) => {
      const found = refunded.safeParse(node).data;
      const successAt = momentOf(found?.gmt_refund_pay);
      if (found?.out_trade_no !== refund.outTradeNo || successAt === undefined) return undefined;
      const moved = found.fund_change === "Y";
      // Less given back in all than we asked for now: not our refund.
      if (moved && found.refund_fee < refund.amount_cents) return undefined;
      return {
        outRefundNo: refund.outRefundNo,
        outTradeNo: refund.outTradeNo,
        transactionId: found.trade_no,
        refundId: refundId(found.trade_no, refund.outRefundNo),
        status: moved ? "success" : "processing",
        amount_cents: refund.amount_cents,
        total_cents: refund.total_cents,
        successAt: moved ? successAt : null,
        userReceivedAccount: found.buyer_logon_id ? `支付宝 ${found.buyer_logon_id}` : null,
      };
    },
  });
}

const asked = z.object({
  out_trade_no: z.string().optional(),
  trade_no: z.string().optional(),
  out_request_no: z.string().optional(),
  refund_status: z.string().optional(),
  refund_amount: yuanAmount.optional(),
  total_amount: yuanAmount.optional(),
  gmt_refund_pay: z.string().optional(),
});

/**
 * 退款查询: 'data came back' is a refund that happened, none is one that did not; the same number may then be sent again
 * (open.fliggy.com/docs/api.htm?apiId=1049, which repeats Alipay's page). The page wants ten seconds between the two calls.
 */
async function queryRefund(means: Means, account: AlipayAccount, outRefundNo: string, outTradeNo: string): Promise<Outcome<Refund>> {
  const outcome = await askGateway<Refund | "none">(means, account, {
    method: "alipay.trade.fastpay.refund.query",
    content: { out_trade_no: outTradeNo, out_request_no: outRefundNo, query_options: ["gmt_refund_pay"] },
    refusals: refusals.QUERY,
    read: (node) => {
      const found = asked.safeParse(node).data;
      if (!found) return undefined;
      if (found.refund_status === undefined && found.refund_amount === undefined) return "none";
      const successAt = momentOf(found.gmt_refund_pay);
      const { trade_no, refund_amount: amount_cents, total_amount: total_cents } = found;
      const ours = found.out_request_no === outRefundNo && found.out_trade_no === outTradeNo;
      const done = found.refund_status === "REFUND_SUCCESS" || found.refund_status === undefined;
      if (!ours || !done || !trade_no || amount_cents === undefined || total_cents === undefined || successAt === undefined)
        return undefined;
      const numbers = { outRefundNo, outTradeNo, transactionId: trade_no, refundId: refundId(trade_no, outRefundNo) };
      return { ...numbers, status: "success", amount_cents, total_cents, successAt, userReceivedAccount: null };
    },
  });
  if (outcome.kind !== "ok") return outcome;
  return outcome.value === "none" ? { kind: "refused", code: NOT_FOUND, message: "退款不存在" } : { kind: "ok", value: outcome.value };
}

/** Alipay has no number of a refund: its trade's and ours together name it. */
const refundId = (tradeNo: string, outRefundNo: string): string => `${tradeNo}/${outRefundNo}`;
const wrong = (message: string) => ({ kind: "refused", code: "PARAM_ERROR", message }) as const;
