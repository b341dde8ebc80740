import { z } from "zod";
import type { ChannelAccount, Transaction } from "../../channel.ts";

const cents = z.int().min(0);
const currency = z.literal("CNY").optional();
const text = z.string().max(512).optional();

const promotion = z.object({
  coupon_id: z.string(),
  name: z.string().default(""),
  // A kind that nobody knows yet is none that is named: the customer has paid all the same.
  type: z.enum(["CASH", "NOCASH"]).nullable().catch(null),
  amount: cents,
  stock_id: text,
  wechatpay_contribute: cents.default(0),
  merchant_contribute: cents.default(0),
  other_contribute: cents.default(0),
});

/** Query, code-pay answer and notification have one shape. Source: 查询订单 应答参数; SDK models. */
const shape = z.object({
  mchid: text,
  sp_mchid: text,
  sub_mchid: text,
  out_trade_no: z.string(),
  trade_state: z.enum(["SUCCESS", "REFUND", "NOTPAY", "CLOSED", "REVOKED", "USERPAYING", "PAYERROR"]),
  transaction_id: text,
  trade_type: text,
  bank_type: text,
  success_time: text,
  payer: z.object({ openid: text, sp_openid: text, sub_openid: text }).optional(),
  amount: z.object({ total: cents.optional(), payer_total: cents.optional(), currency, payer_currency: currency }).optional(),
  promotion_detail: z.array(promotion).nullish(),
});

/** A transaction of this account, or undefined: of another merchant, in another currency, paid without an amount. */
export function readTransaction(account: ChannelAccount, body: unknown): Transaction | undefined {
  const found = shape.safeParse(body);
  if (!found.success || !belongsTo(account, found.data)) return undefined;
  const { amount, payer, ...given } = found.data;
  const paidAt = instantOf(given.success_time);
  const moneyMoved = given.trade_state === "SUCCESS" || given.trade_state === "REFUND";
  if (paidAt === undefined) return undefined;
  if (moneyMoved && (!given.transaction_id || !paidAt || amount?.total === undefined)) return undefined;
  return {
    outTradeNo: given.out_trade_no,
    tradeState: given.trade_state,
    transactionId: given.transaction_id || null,
    total_cents: amount?.total ?? null,
    // Without discounts the channel may leave payer_total out; then the payer paid the total.
    paid_cents: moneyMoved ? (amount?.payer_total ?? amount?.total ?? null) : null,
    paidAt,
    openId: payer?.openid ?? payer?.sp_openid ?? payer?.sub_openid ?? null,
    tradeType: given.trade_type || null,
    bankType: given.bank_type || null,
    promotions: (given.promotion_detail ?? []).map((item) => ({
      couponId: item.coupon_id,
      name: item.name,
      type: item.type,
      amount_cents: item.amount,
      stockId: item.stock_id ?? null,
      channel_cents: item.wechatpay_contribute,
      merchant_cents: item.merchant_contribute,
      other_cents: item.other_contribute,
    })),
  };
}

/** Whether a body names exactly this account's merchant. */
export function belongsTo(
  account: ChannelAccount,
  body: { mchid?: string | undefined; sp_mchid?: string | undefined; sub_mchid?: string | undefined },
): boolean {
  return account.mode === "partner" ? body.sp_mchid === account.mchId && body.sub_mchid === account.subMchId : body.mchid === account.mchId;
}

/** RFC 3339 to ISO in UTC; null where there is none, undefined where it is not a time. */
export function instantOf(given: string | undefined): string | null | undefined {
  if (!given) return null;
  const at = new Date(given);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
