import {
  type giveAbnormalRefundChannel,
  NOT_FOUND,
  type ChannelAccount,
  type Notification,
  type Outcome,
  type Payment,
  type PaymentChannel,
  type Refund,
  type Transaction,
  type Wallet,
} from "../../../channels/server/index.ts";

type Operation = "pay" | "query" | "close" | "reverse" | "refund" | "queryRefund" | "redirect";
/** What happens to the next call: the work is not done, or it is done and its answer lost, or the process ends in it. */
export type Fault = "lost-request" | "lost-reply" | "crash-before" | "crash-after" | "refuse-done" | { readonly refuse: string };
/** The process ended in the middle: what was committed stays, the rest never happened. */
export class Crash extends Error {}

interface Trade {
  readonly outTradeNo: string;
  readonly total_cents: number;
  /** Whose bill it stands in. */
  readonly wallet: Wallet;
  state: Transaction["tradeState"];
  transactionId: string | null;
  paidAt: string | null;
}
interface Given {
  readonly outRefundNo: string;
  readonly outTradeNo: string;
  readonly amount_cents: number;
  readonly total_cents: number;
  readonly refundId: string;
  /** When the channel took it; its bill of that day has it. */
  readonly createdAt: string;
  status: Refund["status"];
  successAt: string | null;
}

/** The channel's side in one object, by its interface: trades and refunds by number, rules, and faults on demand. */
export function fakeChannel(now: () => string) {
  const trades = new Map<string, Trade>();
  const refunds = new Map<string, Given>();
  const faults: { operation: Operation; fault: Fault }[] = [];
  let serial = 0;

  async function ask<T>(operation: Operation, work: () => Outcome<T>): Promise<Outcome<T>> {
    const at = faults.findIndex((one) => one.operation === operation);
    const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.fault;
    if (fault === "crash-before") throw new Crash();
    if (fault === "lost-request") return { kind: "unknown", reason: "没有收到应答" };
    if (typeof fault === "object") return { kind: "refused", code: fault.refuse, message: fault.refuse };
    const done = work();
    if (fault === "crash-after") throw new Crash();
    // A channel may refuse what it did all the same.
    if (fault === "refuse-done") return no("PARAM_ERROR");
    return fault === "lost-reply" ? { kind: "unknown", reason: "没有收到应答" } : done;
  }
  const no = (code: string): Outcome<never> => ({ kind: "refused", code, message: code });
  const shown = ({ outTradeNo, state, total_cents, transactionId, paidAt }: Trade): Transaction => ({
    outTradeNo,
    tradeState: state,
    transactionId,
    total_cents,
    paid_cents: transactionId ? total_cents : null,
    paidAt,
    openId: transactionId ? "o-payer-0123456789" : null,
    tradeType: "NATIVE",
    bankType: null,
    promotions: [],
  });
  const refundOf = (one: Given): Refund => ({
    ...one,
    transactionId: trades.get(one.outTradeNo)?.transactionId ?? null,
    userReceivedAccount: "支付用户零钱",
  });
  function payTrade(trade: Trade, paidAt: string): void {
    Object.assign(trade, { state: "SUCCESS", transactionId: `42${String(++serial).padStart(26, "0")}`, paidAt });
  }

  const channel: PaymentChannel<ChannelAccount> = {
    pay: (_account, order) =>
      ask<Payment>("pay", () => {
        const known = trades.get(order.outTradeNo);
        const trade: Trade = known ?? {
          outTradeNo: order.outTradeNo,
          total_cents: order.amount_cents,
          wallet: order.wallet ?? "wechat",
          state: "NOTPAY",
          transactionId: null,
          paidAt: null,
        };
        trades.set(order.outTradeNo, trade);
        if (order.tradeType === "NATIVE")
          return { kind: "ok", value: { kind: "code", codeUrl: `weixin://wxpay/bizpayurl?pr=${order.outTradeNo}` } };
        if (order.tradeType === "JSAPI") {
          const clientParams = {
            appId: "wx",
            timeStamp: "1",
            nonceStr: "n",
            package: "prepay_id=1",
            signType: "RSA",
            paySign: "s",
          } as const;
          return { kind: "ok", value: { kind: "client", prepayId: "1", clientParams } };
        }
        // A code that ends in 1 waits for the customer's password; every other one pays at once.
        if (order.authCode?.endsWith("1")) trade.state = "USERPAYING";
        else if (trade.state === "NOTPAY") payTrade(trade, now());
        return { kind: "ok", value: { kind: "transaction", transaction: shown(trade) } };
      }),
    query: (_account, by) =>
      ask<Transaction>("query", () => {
        const trade =
          "outTradeNo" in by ? trades.get(by.outTradeNo) : [...trades.values()].find((one) => one.transactionId === by.transactionId);
        return trade ? { kind: "ok", value: shown(trade) } : no(NOT_FOUND);
      }),
    close: (_account, outTradeNo) =>
      ask<null>("close", () => {
        const trade = trades.get(outTradeNo);
        if (!trade) return no(NOT_FOUND);
        if (trade.transactionId) return no("ORDER_PAID");
        trade.state = "CLOSED";
        return { kind: "ok", value: null };
      }),
    reverse: (_account, outTradeNo) =>
      ask<null>("reverse", () => {
        const trade = trades.get(outTradeNo);
        if (!trade) return no(NOT_FOUND);
        trade.state = "REVOKED";
        return { kind: "ok", value: null };
      }),
    refund: (_account, given) =>
      ask<Refund>("refund", () => {
        const known = refunds.get(given.outRefundNo);
        if (known) return { kind: "ok", value: refundOf(known) };
        const trade = trades.get(given.outTradeNo);
        if (!trade?.transactionId) return no("RESOURCE_NOT_EXISTS");
        const before = [...refunds.values()].filter((one) => one.outTradeNo === given.outTradeNo && one.status !== "closed");
        if (before.reduce((sum, one) => sum + one.amount_cents, given.amount_cents) > trade.total_cents) return no("INVALID_REQUEST");
        const made: Given = {
          outRefundNo: given.outRefundNo,
          outTradeNo: given.outTradeNo,
          amount_cents: given.amount_cents,
          total_cents: given.total_cents,
          refundId: `50${String(++serial).padStart(26, "0")}`,
          createdAt: now(),
          status: "processing",
          successAt: null,
        };
        refunds.set(given.outRefundNo, made);
        trade.state = "REFUND";
        return { kind: "ok", value: refundOf(made) };
      }),
    queryRefund: (_account, outRefundNo) =>
      ask<Refund>("queryRefund", () => {
        const found = refunds.get(outRefundNo);
        return found ? { kind: "ok", value: refundOf(found) } : no(NOT_FOUND);
      }),
    readNotification: (candidates, headers, rawBody) => {
      const account = candidates[0];
      // Alipay's and the acquirers' own signatures are their own tests.
      if (!account || "family" in account || headers["fake-signature"] !== account.mchId)
        return { kind: "refused", code: "SIGNATURE", message: "通知验签不通过" };
      return {
        ...(JSON.parse(rawBody.toString("utf8")) as { kind: "other"; eventId: string; eventType: string }),
        account,
      } as Notification;
    },
    replyToNotification: (taken, message) => (taken ? { status: 204, body: "" } : { status: 400, body: message ?? "" }),
  };

  // 发起异常退款: it goes on its way again, under its own number.
  const abnormal: Parameters<typeof giveAbnormalRefundChannel>[1] = {
    redirect: (_account, { outRefundNo }) =>
      ask<Refund>("redirect", () => {
        const found = refunds.get(outRefundNo);
        if (found?.status !== "abnormal") return no("INVALID_REQUEST");
        found.status = "processing";
        return { kind: "ok", value: refundOf(found) };
      }),
  };
  return {
    channel,
    abnormal,
    trades,
    refunds,
    fail: (operation: Operation, fault: Fault) => void faults.push({ operation, fault }),
    forget: () => void faults.splice(0),
    /** The customer pays. */
    customerPays(outTradeNo: string): Transaction {
      const trade = trades.get(outTradeNo);
      if (!trade) throw new Error("no such trade");
      if (!trade.transactionId && trade.state !== "CLOSED" && trade.state !== "REVOKED") payTrade(trade, now());
      return shown(trade);
    },
    /** The refund comes to its end. */
    decide(outRefundNo: string, status: "success" | "closed" | "abnormal"): Refund {
      const found = refunds.get(outRefundNo);
      if (!found) throw new Error("no such refund");
      if (found.status === "processing" || (found.status === "abnormal" && status === "success"))
        Object.assign(found, { status, successAt: status === "success" ? now() : null });
      return refundOf(found);
    },
    /** The body and headers of a notification, as the channel would send it. */
    notice(
      eventId: string,
      mchId: string,
      news: { transaction: Transaction } | { refund: Refund } | { number: string },
    ): { rawBody: Buffer; headers: Record<string, string> } {
      const kind = "transaction" in news ? "paid" : "refund" in news ? "refund" : "share";
      return { rawBody: Buffer.from(JSON.stringify({ kind, eventId, ...news })), headers: { "fake-signature": mchId } };
    },
  };
}
export type FakeChannel = ReturnType<typeof fakeChannel>;
