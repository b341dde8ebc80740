import { z } from "zod";
import { centsOf } from "@zhangfang/contract/money.ts";
import type { Promotion, TradeState, Transaction } from "../channel.ts";

/** Yuan with at most two decimals, as a text or a number, in cents. */
export const yuanAmount = z.union([z.string(), z.number()]).transform((given, context) => {
  const found = /^\d{1,11}(?:\.\d{1,2})?$/.test(String(given)) ? centsOf(String(given)) : undefined;
  if (found === undefined) context.addIssue("not an amount");
  return found ?? 0;
});
const text = z.string().max(512).optional();

const voucher = z.object({
  id: z.string(),
  name: z.string().default(""),
  amount: yuanAmount,
  merchant_contribute: yuanAmount.default(0),
  other_contribute: yuanAmount.default(0),
});
/** The fields that alipay.trade.pay, .query and the notification share; the notification's vouchers are a text and left out. */
const shape = z.object({
  out_trade_no: z.string(),
  trade_no: text,
  trade_status: z.enum(["WAIT_BUYER_PAY", "TRADE_CLOSED", "TRADE_SUCCESS", "TRADE_FINISHED"]).optional(),
  total_amount: yuanAmount.optional(),
  buyer_pay_amount: yuanAmount.optional(),
  gmt_payment: text,
  send_pay_date: text,
  buyer_user_id: text,
  buyer_open_id: text,
  buyer_id: text,
  voucher_detail_list: z.array(voucher).optional().catch(undefined),
});

/**
 * A trade as Alipay has it. TRADE_CLOSED stands for 'nobody paid in time' and for 'paid and given back in full'
 * (channels.md 6.1): the moment of payment tells them apart. What was given back before we heard that it was paid is money
 * that the merchant does not have: it counts as taken back, never as paid.
 * @param micropay whether an open trade is one where the customer is typing
 */
export function readTrade(node: unknown, micropay: boolean, otherwise?: TradeState): Transaction | undefined {
  const found = shape.safeParse(node);
  if (!found.success) return undefined;
  const given = found.data;
  const paidAt = momentOf(given.gmt_payment ?? given.send_pay_date);
  if (paidAt === undefined) return undefined;
  const state = stateOf(given.trade_status, paidAt, micropay) ?? otherwise;
  const moneyMoved = state === "SUCCESS";
  if (!state || (moneyMoved && (!given.trade_no || !paidAt || given.total_amount === undefined))) return undefined;
  return {
    outTradeNo: given.out_trade_no,
    tradeState: state,
    transactionId: given.trade_no || null,
    total_cents: given.total_amount ?? null,
    paid_cents: moneyMoved ? (given.buyer_pay_amount ?? given.total_amount ?? null) : null,
    paidAt,
    openId: given.buyer_open_id || given.buyer_user_id || given.buyer_id || null,
    tradeType: null,
    bankType: null,
    promotions: (given.voucher_detail_list ?? []).map(promotionOf),
  };
}

function stateOf(status: string | undefined, paidAt: string | null, micropay: boolean): TradeState | undefined {
  if (status === "TRADE_SUCCESS" || status === "TRADE_FINISHED") return "SUCCESS";
  if (status === "WAIT_BUYER_PAY") return micropay ? "USERPAYING" : "NOTPAY";
  if (status === "TRADE_CLOSED") return paidAt ? "REVOKED" : "CLOSED";
  return undefined;
}
function promotionOf({ id, name, amount, merchant_contribute, other_contribute }: z.output<typeof voucher>): Promotion {
  return {
    couponId: id,
    name,
    type: "NOCASH",
    amount_cents: amount,
    stockId: null,
    channel_cents: Math.max(0, amount - merchant_contribute - other_contribute),
    merchant_cents: merchant_contribute,
    other_cents: other_contribute,
  };
}

/** Shanghai time without a zone to ISO in UTC; null where there is none, undefined where it is not a time. */
export function momentOf(given: string | undefined): string | null | undefined {
  if (!given) return null;
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(given) ? new Date(`${given.replace(" ", "T")}+08:00`) : undefined;
  return !at || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
