import { z } from "zod";
import { centsOf } from "@zhangfang/contract/money.ts";
import type { Promotion, TradeState, Transaction } from "../channel.ts";

/** Yuan with at most two decimals, as a text or a number, in cents. */
export const yuanAmount = z.union([z.string(), z.number()]).transform((given, context) => {
  const found = /^\d{1,11}(?:\.\d{1,2})?$/.test(String(given)) ? centsOf(String(given)) : undefined;
  if (found === undefined) context.addIssue("not an amount");
  return found ?? 0;
});
/** Cents as Alipay wants them: yuan with two decimals. */
export const yuanText = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
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
  receipt_amount: yuanAmount.optional(),
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
    promotions: promotionsOf(given),
  };
}

function stateOf(status: string | undefined, paidAt: string | null, micropay: boolean): TradeState | undefined {
  if (status === "TRADE_SUCCESS" || status === "TRADE_FINISHED") return "SUCCESS";
  if (status === "WAIT_BUYER_PAY") return micropay ? "USERPAYING" : "NOTPAY";
  if (status === "TRADE_CLOSED") return paidAt ? "REVOKED" : "CLOSED";
  return undefined;
}
/**
 * A voucher's part that Alipay or others bear reaches the merchant as money, the merchant's own does not (商家实收 is the total less
 * 商家优惠). The notification names no vouchers that can be read; what it says was received tells the merchant's part all the same.
 */
function promotionsOf({ voucher_detail_list = [], total_amount, receipt_amount }: z.output<typeof shape>): Promotion[] {
  const of = (given: Partial<Promotion>): Promotion => {
    const bore = { channel_cents: 0, merchant_cents: 0, other_cents: 0 };
    return { couponId: "", name: "", type: "NOCASH", amount_cents: 0, stockId: null, ...bore, ...given };
  };
  const found = voucher_detail_list.flatMap(({ id: couponId, name, amount, merchant_contribute, other_contribute: other_cents }) => {
    const merchant_cents = Math.min(amount, merchant_contribute);
    const rest = amount - merchant_cents;
    const others = of({ couponId, name, type: "CASH", amount_cents: rest, channel_cents: Math.max(0, rest - other_cents), other_cents });
    return [others, of({ couponId, name, amount_cents: merchant_cents, merchant_cents })].filter(({ amount_cents }) => amount_cents > 0);
  });
  const own = total_amount === undefined || receipt_amount === undefined ? 0 : total_amount - receipt_amount;
  return found.length > 0 || own <= 0 ? found : [of({ name: "商家优惠", amount_cents: own, merchant_cents: own })];
}

/** Shanghai time without a zone to ISO in UTC; null where there is none, undefined where it is not a time. */
export function momentOf(given: string | undefined): string | null | undefined {
  if (!given) return null;
  const at = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,3})?$/.test(given) ? new Date(`${given.replace(" ", "T")}+08:00`) : undefined;
  return !at || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
