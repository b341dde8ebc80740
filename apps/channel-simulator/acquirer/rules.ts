import { randomBytes } from "node:crypto";
import { randomDigits } from "../keys.ts";
import { tradeKey } from "../trades/read-order.ts";
import type { Desk } from "../reply.ts";
import type { Dialect, Refund, Trade } from "../state.ts";
import { completePayment, currentTrade, SPECIAL_CODES, TYPING_MS } from "../trades/trades.ts";
import { amount, cents, time, wordOf, wordsOf, type Message } from "./dialect.ts";

/** What the acquirer says in our words: a word for a no, or fields. */
export type Said = { readonly no: string } | { readonly yes: Readonly<Record<string, string>> };
type Given = (name: string) => string;
const REFUND_STATES = { PROCESSING: "processing", SUCCESS: "success", CLOSED: "closed", ABNORMAL: "abnormal" } as const;

export function tradeFields(dialect: Dialect, trade: Trade, refunded: boolean): Readonly<Record<string, string>> {
  const off = trade.coupons.reduce((sum, coupon) => sum + coupon.amount, 0);
  const state = trade.state === "SUCCESS" && refunded ? "REFUND" : trade.state;
  return {
    order: trade.outTradeNo,
    status: wordOf(dialect.states, state),
    amount: amount(dialect, trade.total),
    ...(trade.transactionId && { trade: trade.transactionId }),
    ...(trade.openId && { payer: trade.openId }),
    ...(trade.paidAt !== null && { paidAt: time(dialect, trade.paidAt), ...(off > 0 && { paid: amount(dialect, trade.total - off) }) }),
  };
}
export const refundFields = (dialect: Dialect, trade: Trade, refund: Refund): Readonly<Record<string, string>> => ({
  order: trade.outTradeNo,
  amount: amount(dialect, trade.total),
  refund: refund.outRefundNo,
  refundTrade: refund.refundId,
  refundAmount: amount(dialect, refund.amount),
  status: wordOf(dialect.refundStates, REFUND_STATES[refund.state]) || wordOf(dialect.refundStates, "closed"),
  ...(refund.successAt !== null && { paidAt: time(dialect, refund.successAt) }),
});

/** Which wallet and way a word means. */
function wayOf(dialect: Dialect, word: string, kind: Trade["tradeType"]): "wechat" | "alipay" | "unionpay" | undefined {
  const found = Object.entries(dialect.ways).find(([, ways]) => ways[kind] === word)?.[0];
  return found === "wechat" || found === "alipay" || found === "unionpay" ? found : undefined;
}
const CODES = { wechat: /^1[0-5]\d{16}$/, alipay: /^(?:2[5-9]|30)\d{14,22}$/, unionpay: /^62\d{17}$/ } as const;
const URLS = { wechat: "weixin://wxpay/bizpayurl?pr=", alipay: "https://qr.alipay.com/", unionpay: "https://qr.95516.com/" } as const;

export function place(desk: Desk, dialect: Dialect, kind: Trade["tradeType"], given: Given): Said {
  const total = cents(dialect, given("amount"));
  const wallet = wayOf(dialect, given("way"), kind);
  const outTradeNo = given("order");
  const description = given("subject");
  if (!wallet || total === undefined || total < 1 || !/^[0-9A-Za-z_-]{1,64}$/.test(outTradeNo) || description === "")
    return { no: wordsOf(dialect, "pay", 0) };
  const key = tradeKey(desk.merchant.mchId, null, outTradeNo);
  const fingerprint = JSON.stringify([kind, wallet, description, total, given("payer"), given("authCode")]);
  const known = desk.state.trades.get(key);
  if (known) return again(dialect, currentTrade(desk, known), fingerprint);
  const trade: Trade = {
    key,
    mchId: desk.merchant.mchId,
    subMchId: null,
    appId: "",
    outTradeNo,
    tradeType: kind,
    wallet,
    description,
    total,
    notifyUrl: given("notifyUrl") || null,
    expiresAt: /^\d{1,4}$/.test(given("expires")) ? desk.now + Number(given("expires")) * 60_000 : null,
    codeUrl: kind === "NATIVE" ? `${URLS[wallet]}${randomBytes(9).toString("base64url")}` : null,
    prepayId: kind === "JSAPI" ? randomDigits(20) : null,
    fingerprint,
    deviceId: null,
    createdAt: desk.now,
    state: "NOTPAY",
    payAt: null,
    openId: given("payer") || null,
    transactionId: null,
    paidAt: null,
    revokedAt: null,
    coupons: [],
    dismissed: false,
  };
  if (kind === "MICROPAY") return payByCode(desk, dialect, trade, given("authCode"), CODES[wallet]);
  desk.state.save("trade", trade);
  return shown(trade);
}
const shown = (trade: Trade): Said => ({
  yes: {
    order: trade.outTradeNo,
    ...(trade.codeUrl
      ? { codeUrl: trade.codeUrl }
      : { trade: trade.prepayId ?? "", pageParams: JSON.stringify({ package: `prepay_id=${trade.prepayId}`, nonceStr: "n" }) }),
  },
});
function again(dialect: Dialect, known: Trade, fingerprint: string): Said {
  // A word that is on nobody's list: what became of the first try is for the query.
  if (known.fingerprint !== fingerprint || (known.state !== "NOTPAY" && known.state !== "USERPAYING")) return { no: "DUPLICATE_ORDER" };
  return known.tradeType === "MICROPAY" ? { yes: tradeFields(dialect, known, false) } : shown(known);
}

function payByCode(desk: Desk, dialect: Dialect, trade: Trade, code: string, form: RegExp): Said {
  const special = SPECIAL_CODES[code.slice(-8) as keyof typeof SPECIAL_CODES];
  const no = (n: number): Said => {
    desk.state.save("trade", { ...trade, state: "PAYERROR" });
    return { no: wordsOf(dialect, "pay", n) };
  };
  if (!form.test(code)) return no(1);
  if (special === "system-error") return { no: "SYSTEM_BUSY" };
  if (special === "code-expired") return no(1);
  if (special === "not-enough") return no(2);
  if (special === "account-error") return no(3);
  if (special === "typing-then-paid" || special === "typing-for-ever") {
    const open: Trade = {
      ...trade,
      state: "USERPAYING",
      payAt: special === "typing-for-ever" ? null : desk.now + TYPING_MS / desk.settings.speed,
    };
    desk.state.save("trade", open);
    return { yes: tradeFields(dialect, open, false) };
  }
  const paid = completePayment(desk, trade, { paidAt: desk.now });
  return special === "system-error-but-paid" ? { no: "SYSTEM_BUSY" } : { yes: tradeFields(dialect, paid, false) };
}

function find(desk: Desk, given: Given): Trade | undefined {
  const key = given("order") ? tradeKey(desk.merchant.mchId, null, given("order")) : desk.state.tradeOfTransaction(given("trade"))?.key;
  const trade = desk.state.trades.get(key ?? "");
  return trade && trade.mchId === desk.merchant.mchId ? currentTrade(desk, trade) : undefined;
}
const absent = (dialect: Dialect): Said => ({ no: wordsOf(dialect, "absent", 0) });

export function query(desk: Desk, dialect: Dialect, given: Given): Said {
  const trade = find(desk, given);
  return trade ? { yes: tradeFields(dialect, trade, desk.state.refundsOf(trade.key).length > 0) } : absent(dialect);
}
export function close(desk: Desk, dialect: Dialect, given: Given): Said {
  const trade = find(desk, given);
  if (!trade) return absent(dialect);
  if (trade.state === "CLOSED") return { yes: { order: trade.outTradeNo } };
  if (trade.state !== "NOTPAY" && trade.state !== "USERPAYING") return { no: wordsOf(dialect, "close", 0) };
  desk.state.save("trade", { ...trade, state: "CLOSED", payAt: null });
  return { yes: { order: trade.outTradeNo } };
}
export function refund(desk: Desk, dialect: Dialect, given: Given): Said {
  const trade = find(desk, given);
  if (!trade) return absent(dialect);
  const asked = cents(dialect, given("refundAmount"));
  const outRefundNo = given("refund");
  if (asked === undefined || asked < 1 || outRefundNo === "") return { no: wordsOf(dialect, "refund", 0) };
  if (trade.paidAt === null || (trade.state !== "SUCCESS" && trade.state !== "REFUND")) return { no: wordsOf(dialect, "refund", 2) };
  const before = desk.state.refundsOf(trade.key);
  const known = before.find((one) => one.outRefundNo === outRefundNo);
  if (known) return known.amount === asked ? { yes: refundFields(dialect, trade, known) } : { no: "DUPLICATE_REFUND" };
  const sum = before.filter(({ state }) => state !== "CLOSED").reduce((all, one) => all + one.amount, asked);
  if (sum > trade.total) return { no: wordsOf(dialect, "refund", 1) };
  const made: Refund = {
    key: `${trade.key}/${outRefundNo}`,
    tradeKey: trade.key,
    refundId: `R${randomDigits(18)}`,
    outRefundNo,
    amount: asked,
    reason: "",
    notifyUrl: given("notifyUrl") || null,
    createdAt: desk.now,
    state: "PROCESSING",
    successAt: null,
  };
  desk.state.save("refund", made);
  return { yes: refundFields(dialect, trade, made) };
}
export function queryRefund(desk: Desk, dialect: Dialect, given: Given): Said {
  const trade = find(desk, given);
  const known = trade && desk.state.refundsOf(trade.key).find((one) => one.outRefundNo === given("refund"));
  return trade && known ? { yes: refundFields(dialect, trade, known) } : absent(dialect);
}
/** Only what says something travels. */
export const full = (message: Message): Message =>
  Object.fromEntries(Object.entries(message).filter(([name, value]) => name !== "" && value !== ""));
