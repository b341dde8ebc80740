import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, flag, id, instant, line, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { platformVouchers, pricePart, priceTender, quoteLines, ticket } from "../../pricing/contract.ts";
import { askedTradeType, orderStatus, orderType, refundStatus } from "./codes.ts";
import { refundAmount, refundBack, refundUnits, refundVouchers } from "./refunds.ts";

/** The till's own number of an order: with it a lost answer is asked for again. Unique in its store, for ever. */
export const tillNo = z.string().regex(/^[0-9A-Za-z_-]{1,64}$/, "收银单号须为 1 至 64 位字母、数字、下划线或短横线");
const discount = z.int().min(0).max(999_999_999).default(0);

/** What a till learns about an order. */
export const tillOrder = z.object({
  orderNo: z.string(),
  tillNo: z.string(),
  status: oneOf(orderStatus),
  grossCents: cents,
  /** What lowered the price; stored value pays, and stands among `tenders`. */
  discountCents: cents,
  /** Zero until it is paid. */
  paidCents: cents,
  refundedCents: cents,
  refundingCents: cents,
  channelNo: z.string().nullable(),
  createdAt: instant,
  expiresAt: instant,
  paidAt: instant.nullable(),
  /** NATIVE: to show as a QR code. */
  codeUrl: z.string().nullable(),
  /** JSAPI: goes unchanged into the page that pays. */
  clientParams: z.record(z.string(), z.string()).nullable(),
  /** Why it did not work, or what is waited for. */
  message: z.string().nullable(),
  /** What took something off, and what it is paid with. */
  parts: z.array(pricePart),
  tenders: z.array(priceTender),
  /** Points that the customer earned; null until that is booked, and without a customer. */
  earned: z.int().nullable(),
});

/** Answers within ten seconds: a payment that is still unknown by then has status 0; ask with `getTillOrder`. */
export const createTillOrder = write({
  path: "/api/till/orders",
  title: "收银下单",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    tillNo,
    /** How it is paid; left out where the quote leaves nothing to pay in money. */
    tradeType: oneOf(askedTradeType).optional(),
    orderType: oneOf(orderType).default(0),
    subject: line(127, 1, "请填写商品描述"),
    grossCents: positiveCents,
    couponCents: discount,
    pointsCents: discount,
    storedValueCents: discount,
    /** The answer of `quotePrice`: what comes off is what it said. Nothing else may come off beside it. */
    quote: z.string().max(8_000, "报价无效，请重新报价").optional(),
    /** The goods that were quoted; only with a quote. */
    lines: quoteLines.optional(),
    /** The vouchers that were quoted, once more: others than the quote's are refused. */
    platformVouchers: platformVouchers.optional(),
    /** Whose order it is, as identifying them answered it. By itself it lets them earn. */
    ticket: ticket.optional(),
    /** What the member types where the sum asks for it. */
    pin: z
      .string()
      .regex(/^\d{6}$/, "支付密码为 6 位数字")
      .optional(),
    /** NATIVE and JSAPI: whose code or page it is to be, WeChat's where left out. A code that was read says so itself. */
    wallet: z.enum(["wechat", "alipay", "unionpay"]).optional(),
    /** MICROPAY: the digits on the customer's phone; their beginning tells whose they are. */
    authCode: z
      .string()
      .regex(
        /^(?:1[0-5]\d{16}|(?:2[5-9]|30)\d{14,22}|62\d{17})$/,
        "付款码无法识别，须为微信（18 位）、支付宝（16 至 24 位）或云闪付（19 位）付款码",
      )
      .optional(),
    /** MICROPAY: the code comes from the customer's face. */
    face: flag.default(false),
    /** JSAPI: the payer as the channel's app knows them. */
    openId: line(128, 1).optional(),
    /** Who takes it, within the own limit; the cashier of the device where left out. */
    cashierCode: line(32, 1).optional(),
  }),
  output: tillOrder,
});

/** Asks the channel where its last word is two seconds old; a till may ask each second. */
export const getTillOrder = read({
  path: "/api/till/orders/:tillNo",
  title: "收银查单",
  access: "device",
  rate: "poll",
  outside: true,
  input: z.object({ tillNo }),
  output: tillOrder,
});

/** A payment that was faster than the close wins: the answer then says 2. */
export const closeTillOrder = write({
  path: "/api/till/orders/close",
  title: "收银关单",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 25_000,
  input: z.object({ tillNo }),
  output: tillOrder,
});

export const tillRefund = z.object({
  requestId: id.nullable(),
  refundNo: z.string(),
  tillNo: z.string(),
  /** Its value, and what of it is money, stored value and points. */
  amountCents: cents,
  moneyCents: cents,
  principalCents: cents,
  giftCents: cents,
  pointsBack: z.int(),
  status: oneOf(refundStatus),
  failure: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});

/** The money is on its way when the answer says 1, and waits for somebody's approval when it says 0. */
export const refundTillOrder = write({
  path: "/api/till/refunds",
  title: "收银退款",
  access: "device",
  rate: "money",
  idempotent: "requestId",
  oneAtATime: "tillNo",
  input: z.object({
    requestId: id,
    tillNo,
    /** Value: money and stored value together; nothing voids an order that came to nothing. */
    amountCents: refundAmount.optional(),
    /** Instead of an amount. */
    units: refundUnits.optional(),
    vouchers: refundVouchers.optional(),
    reason: line(80, 1, "请填写退款原因"),
    /** Who gives it back, within the own limits; the cashier of the device where left out. */
    cashierCode: line(32, 1).optional(),
  }),
  output: tillRefund,
});

/** What a refund would give back and take back, before anybody clicks. Nothing is reserved. */
export const previewTillRefund = write({
  path: "/api/till/refunds/preview",
  title: "收银退款试算",
  access: "device",
  rate: "poll",
  input: z.object({ tillNo, amountCents: refundAmount.optional(), units: refundUnits.optional(), vouchers: refundVouchers.optional() }),
  output: z.object({
    ...refundBack.shape,
    /** Of the fee, back to the merchant; and what receivers of shares give back first. */
    feeCents: cents,
    shares: cents,
    refusal: z.string().nullable(),
  }),
});

export const getTillRefund = read({
  path: "/api/till/refunds/:requestId",
  title: "收银查退款",
  access: "device",
  rate: "poll",
  input: z.object({ requestId: id }),
  output: tillRefund,
});
