import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type {
  AcquirerAccount,
  Notification,
  NotificationRefusal,
  Outcome,
  Payment,
  PaymentChannel,
  PaymentOrder,
  Refund,
  Transaction,
  Transport,
} from "../channel.ts";
import { askAcquirer, type Means } from "./ask-acquirer.ts";
import { amountText, readerOf, readFields, type Reader } from "./fields.ts";
import type { AcquirerMapping } from "./mapping.ts";
import { acquirerMappings } from "./mappings.ts";
import { verifyFields } from "./signing.ts";

/**
 * Any acquirer: one signed HTTP protocol whose names, paths, words, units and signatures are data (mappings.ts). No interface
 * was verified at an acquirer: docs/channels.md.
 * @param transport carries the requests; a rejection means that no whole answer came
 * @param given clock and nonce, for tests
 */
export function acquirer(transport: Transport, given: Partial<Omit<Means, "transport">> = {}): PaymentChannel<AcquirerAccount> {
  const means: Means = { transport, now: given.now ?? (() => new Date()), nonce: given.nonce ?? (() => randomBytes(12).toString("hex")) };
  const close = (account: AcquirerAccount, outTradeNo: string) =>
    askAcquirer(means, account, {
      operation: "close",
      fields: { order: outTradeNo },
      refusals: "close",
      read: (answer) => (answer.text("order") === outTradeNo ? null : undefined),
    });
  return {
    pay: (account, order) => pay(means, account, order),
    query: (account, by) =>
      askAcquirer(means, account, {
        operation: "query",
        fields: "outTradeNo" in by ? { order: by.outTradeNo } : { trade: by.transactionId },
        refusals: "none",
        read: (answer, mapping) => {
          const found = readTrade(answer, mapping);
          const asked = "outTradeNo" in by ? found?.outTradeNo === by.outTradeNo : found?.transactionId === by.transactionId;
          return asked ? found : undefined;
        },
      }),
    close,
    // A micropay that nobody confirms is closed; one that was paid meanwhile is not, and the next query tells.
    reverse: close,
    refund: (account, { outTradeNo, outRefundNo, amount_cents, total_cents, notifyUrl }) =>
      askAcquirer<Refund>(means, account, {
        operation: "refund",
        fields: {
          order: outTradeNo,
          refund: outRefundNo,
          refundAmount: amountText(acquirerMappings[account.channel], amount_cents),
          notifyUrl,
        },
        refusals: "refund",
        read: (answer, mapping) => mine(readRefund(answer, mapping, { outTradeNo, total_cents }), outRefundNo, amount_cents),
      }),
    queryRefund: (account, outRefundNo, outTradeNo) =>
      askAcquirer<Refund>(means, account, {
        operation: "queryRefund",
        fields: { order: outTradeNo ?? "", refund: outRefundNo },
        refusals: "none",
        read: (answer, mapping) => mine(readRefund(answer, mapping, {}), outRefundNo),
      }),
    readNotification,
    replyToNotification: (taken) => (taken ? { status: 200, body: "success" } : { status: 400, body: "fail" }),
  };
}
const mine = (found: Refund | undefined, outRefundNo: string, amount_cents = found?.amount_cents) =>
  found?.outRefundNo === outRefundNo && found.amount_cents === amount_cents ? found : undefined;

const params = z.record(z.string().max(64), z.string().max(4_000));
const OPERATIONS = { NATIVE: "code", JSAPI: "page", MICROPAY: "micropay" } as const;

async function pay(means: Means, account: AcquirerAccount, order: PaymentOrder): Promise<Outcome<Payment>> {
  const mapping = acquirerMappings[account.channel];
  const way = mapping.ways[order.wallet ?? "wechat"]?.[order.tradeType];
  if (way === undefined) return wrong("此通道不支持这种收款方式");
  if (order.tradeType === "MICROPAY" && !order.authCode) return wrong("缺少付款码");
  if (order.tradeType === "JSAPI" && !order.openId) return wrong("缺少付款人");
  const minutes = Math.max(1, Math.ceil((Date.parse(order.expiresAt) - means.now().getTime()) / 60_000));
  return askAcquirer<Payment>(means, account, {
    operation: OPERATIONS[order.tradeType],
    fields: {
      order: order.outTradeNo,
      amount: amountText(mapping, order.amount_cents),
      // The signed text does not tell a value with & and = from two fields.
      subject: order.description.replaceAll(/[&=]/g, " "),
      way,
      ...(order.tradeType === "MICROPAY"
        ? { authCode: order.authCode ?? "" }
        : { notifyUrl: order.notifyUrl, expires: String(minutes), ...(order.tradeType === "JSAPI" && { payer: order.openId ?? "" }) }),
    },
    refusals: "pay",
    read: (answer) => readPayment(order, answer, mapping),
  });
}
function readPayment(order: PaymentOrder, answer: Reader, mapping: AcquirerMapping): Payment | undefined {
  if (answer.text("order") !== order.outTradeNo) return undefined;
  if (order.tradeType === "MICROPAY") {
    const transaction = readTrade(answer, mapping);
    return transaction && { kind: "transaction", transaction };
  }
  if (order.tradeType === "NATIVE") return answer.text("codeUrl") === "" ? undefined : { kind: "code", codeUrl: answer.text("codeUrl") };
  const found = params.safeParse(jsonOf(answer.text("pageParams"))).data;
  return found && { kind: "client", prepayId: answer.text("trade"), clientParams: found };
}

/** A trade in the acquirer's words; undefined for a word that the mapping does not know, and for one that was paid without an amount. */
function readTrade(answer: Reader, { states }: AcquirerMapping): Transaction | undefined {
  const word = answer.text("status");
  const tradeState = Object.hasOwn(states, word) ? states[word] : undefined;
  const paidAt = answer.moment("paidAt");
  const total = answer.cents("amount");
  const moneyMoved = tradeState === "SUCCESS" || tradeState === "REFUND";
  if (!tradeState || paidAt === undefined || answer.text("order") === "") return undefined;
  if (moneyMoved && (answer.text("trade") === "" || !paidAt || total === undefined)) return undefined;
  return {
    outTradeNo: answer.text("order"),
    tradeState,
    transactionId: answer.text("trade") || null,
    total_cents: total ?? null,
    paid_cents: moneyMoved ? (answer.cents("paid") ?? total ?? null) : null,
    paidAt,
    openId: answer.text("payer") || null,
    tradeType: answer.text("way") || null,
    bankType: null,
    promotions: [],
  };
}
/** A refund; what the answer leaves out is taken from what was asked. */
function readRefund(
  answer: Reader,
  { refundStates }: AcquirerMapping,
  asked: { readonly outTradeNo?: string; readonly total_cents?: number },
): Refund | undefined {
  const word = answer.text("status");
  const status = Object.hasOwn(refundStates, word) ? refundStates[word] : undefined;
  const successAt = answer.moment("paidAt");
  const amount_cents = answer.cents("refundAmount");
  const total_cents = asked.total_cents ?? answer.cents("amount");
  const outTradeNo = answer.text("order");
  if (!status || successAt === undefined || amount_cents === undefined || total_cents === undefined) return undefined;
  if (outTradeNo === "" || (asked.outTradeNo !== undefined && asked.outTradeNo !== outTradeNo)) return undefined;
  return {
    outRefundNo: answer.text("refund"),
    outTradeNo,
    transactionId: null,
    refundId: answer.text("refundTrade") || answer.text("refund"),
    status,
    amount_cents,
    total_cents,
    successAt: status === "success" ? successAt : null,
    userReceivedAccount: null,
  };
}

/** A notification: signature first, then the merchant inside, then whether it is about a refund. The same content is the same event. */
function readNotification(
  candidates: readonly AcquirerAccount[],
  _headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
): Notification {
  let reason: NotificationRefusal = "SIGNATURE";
  for (const account of candidates) {
    const mapping = acquirerMappings[account.channel];
    const fields = readFields(mapping.encoding, rawBody);
    if (!fields) reason = "BODY";
    else if (verifyFields(mapping, account.publicKey, fields)) {
      const reader = readerOf(mapping, fields, mapping.notice);
      if (reader.text("merchant") === account.merchantNo) return understood(account, mapping, reader, rawBody);
      reason = "MERCHANT";
    }
  }
  return { kind: "refused", code: reason, message: "通知验签不通过" };
}
function understood(account: AcquirerAccount, mapping: AcquirerMapping, reader: Reader, rawBody: Buffer): Notification {
  const eventId = createHash("sha256").update(rawBody).digest("hex").slice(0, 40);
  if (reader.text("refund") !== "") {
    const refund = readRefund(reader, mapping, {});
    return refund ? { kind: "refund", eventId, account, refund } : { kind: "refused", code: "BODY", message: "退款通知内容无法识别" };
  }
  const transaction = readTrade(reader, mapping);
  if (!transaction) return { kind: "refused", code: "BODY", message: "支付通知内容无法识别" };
  return transaction.tradeState === "SUCCESS"
    ? { kind: "paid", eventId, account, transaction }
    : { kind: "other", eventId, account, eventType: transaction.tradeState };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
const wrong = (message: string) => ({ kind: "refused", code: "PARAM_ERROR", message }) as const;
