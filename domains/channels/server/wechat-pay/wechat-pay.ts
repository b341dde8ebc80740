import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { ChannelAccount, Outcome, Payment, PaymentChannel, PaymentOrder, Transaction, Transport } from "../channel.ts";
import { closeRequest, paymentRequest, queryPath, refundQueryPath, refundRequest, reverseRequest } from "./payment-request.ts";
import { readNotification } from "./read/read-notification.ts";
import { readRefund } from "./read/read-refund.ts";
import { readTransaction } from "./read/read-transaction.ts";
import * as refusals from "./read/refusals.ts";
import { sendRequest } from "./signing/send-request.ts";
import type { Means } from "./signing/send-request.ts";
import { signForClient } from "./signing/sign-request.ts";

const prepared = z.object({ code_url: z.string().min(1).optional(), prepay_id: z.string().min(1).optional() });
const waiting = z.union([z.object({ code: z.literal("USERPAYING") }), z.object({ trade_state: z.literal("USERPAYING") })]);

/**
 * WeChat Pay API v3, direct and service-provider mode.
 * @param transport carries the requests; a rejection means that no whole answer came
 * @param given clock and nonce, for tests
 */
export function wechatPay(transport: Transport, given: Partial<Pick<Means, "now" | "nonce">> = {}): PaymentChannel<ChannelAccount> {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(16).toString("hex")) };
  return {
    pay: (account, order) => pay(means, account, order),
    query: (account, by) =>
      sendRequest(means, account, {
        method: "GET",
        path: queryPath(account, by),
        refusals: refusals.QUERY,
        read: (status, body) => {
          const found = status === 200 ? readTransaction(account, body) : undefined;
          const asked = "outTradeNo" in by ? found?.outTradeNo === by.outTradeNo : found?.transactionId === by.transactionId;
          return asked ? found : undefined;
        },
      }),
    close: (account, outTradeNo) =>
      sendRequest(means, account, {
        method: "POST",
        ...closeRequest(account, outTradeNo),
        refusals: refusals.CLOSE,
        read: (status) => (status === 204 ? null : undefined),
      }),
    reverse: (account, outTradeNo) =>
      sendRequest(means, account, {
        method: "POST",
        ...reverseRequest(account, outTradeNo),
        refusals: refusals.REVERSE,
        read: (status, body) => (status === 200 && numberOf(body) === outTradeNo ? null : undefined),
      }),
    refund: (account, refund) =>
      sendRequest(means, account, {
        method: "POST",
        ...refundRequest(account, refund),
        refusals: refusals.REFUND,
        read: (status, body) => mine(status, readRefund(body), refund.outRefundNo),
      }),
    queryRefund: (account, outRefundNo) =>
      sendRequest(means, account, {
        method: "GET",
        path: refundQueryPath(account, outRefundNo),
        refusals: refusals.QUERY,
        read: (status, body) => mine(status, readRefund(body), outRefundNo),
      }),
    readNotification,
    // Source: channels.md 3.1. Any 4xx or 5xx makes the channel send it again; ours is not a fault of the server.
    replyToNotification: (taken, message) =>
      taken ? { status: 204, body: "" } : { status: 400, body: JSON.stringify({ code: "FAIL", message: message ?? "失败" }) },
  };
}

async function pay(means: Means, account: ChannelAccount, order: PaymentOrder): Promise<Outcome<Payment>> {
  if (order.tradeType === "MICROPAY" && !/^1[0-5]\d{16}$/.test(order.authCode ?? "")) return wrong("付款码须为 10 至 15 开头的 18 位数字");
  if (order.tradeType === "JSAPI" && !order.openId) return wrong("缺少付款人 openid");
  return sendRequest<Payment>(means, account, {
    method: "POST",
    ...paymentRequest(account, order),
    refusals: refusals.PAY,
    read: (status, body) => readPayment(means, account, order, status, body),
  });
}

function readPayment(means: Means, account: ChannelAccount, order: PaymentOrder, status: number, body: unknown): Payment | undefined {
  if (order.tradeType === "MICROPAY") {
    // The customer is typing the password: HTTP 202 (付款码支付 错误码; seen in binarywang/WxJava#4050).
    if (status === 202) return waiting.safeParse(body).success ? { kind: "transaction", transaction: typing(order) } : undefined;
    const transaction = status === 200 ? readTransaction(account, body) : undefined;
    return transaction?.outTradeNo === order.outTradeNo ? { kind: "transaction", transaction } : undefined;
  }
  const found = prepared.safeParse(body);
  if (status !== 200 || !found.success) return undefined;
  const { code_url: codeUrl, prepay_id: prepayId } = found.data;
  if (order.tradeType === "NATIVE") return codeUrl ? { kind: "code", codeUrl } : undefined;
  return prepayId ? { kind: "client", prepayId, clientParams: signForClient(account, prepayId, means.now(), means.nonce()) } : undefined;
}

const typing = (order: PaymentOrder): Transaction => ({
  outTradeNo: order.outTradeNo,
  tradeState: "USERPAYING",
  transactionId: null,
  total_cents: order.amount_cents,
  paid_cents: null,
  paidAt: null,
  openId: null,
  tradeType: "MICROPAY",
  bankType: null,
  promotions: [],
});
const mine = <R extends { outRefundNo: string }>(status: number, found: R | undefined, outRefundNo: string) =>
  status === 200 && found?.outRefundNo === outRefundNo ? found : undefined;
const numberOf = (body: unknown) => z.object({ out_trade_no: z.string() }).safeParse(body).data?.out_trade_no;
const wrong = (message: string) => ({ kind: "refused", code: "PARAM_ERROR", message }) as const;
