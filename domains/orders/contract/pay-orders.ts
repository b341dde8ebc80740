import { z } from "zod";
import { payChannel, payMethod, payTool, payWallet, payWay } from "../../channels/contract.ts";
import { ledgerEntry } from "../../money/contract.ts";
import { pricePart, priceTender, priceWhy } from "../../pricing/contract.ts";
import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import {
  cents,
  dateRange,
  flag,
  id,
  instant,
  line,
  listInput,
  listOutput,
  oneOf,
  queryCents,
  scopeFilter,
  wholeNumber,
} from "@zhangfang/contract/fields.ts";
import { channelOperation, channelOutcome, dateOf, orderEventKind, orderStatus, orderType, orderPurpose, tradeType } from "./codes.ts";
import { lackingFilter } from "./lacking.ts";
import { orderVoucher, refundRow } from "./refunds.ts";

export const payOrderRow = z.object({
  id,
  orderNo: z.string(),
  tillNo: z.string().nullable(),
  channelNo: z.string().nullable(),
  orderType: oneOf(orderType),
  tradeType: oneOf(tradeType),
  subject: z.string(),
  serviceProviderId: id,
  merchantId: id,
  merchantName: z.string(),
  storeId: id,
  storeName: z.string(),
  deviceName: z.string().nullable(),
  cashierName: z.string().nullable(),
  /** Whose order it is, as far as the caller sees members. */
  memberId: id.nullable(),
  memberNo: z.string().nullable(),
  /** The payer as the channel knows them, masked. */
  payer: z.string().nullable(),
  grossCents: cents,
  discountCents: cents,
  /** What of the discount vouchers of platforms paid. */
  voucherCents: cents,
  couponCents: cents,
  pointsCents: cents,
  storedValueCents: cents,
  /** Zero until it is paid, like the fee. */
  paidCents: cents,
  feeCents: cents,
  refundedCents: cents,
  refundingCents: cents,
  channel: oneOf(payChannel),
  tool: oneOf(payTool),
  payMethod: oneOf(payMethod),
  status: oneOf(orderStatus),
  createdAt: instant,
  paidAt: instant.nullable(),
  /** What may still be refunded, in cents; zero where nothing may. */
  refundableCents: cents,
  /** The caller may refund it now. */
  refundable: z.boolean(),
  /** The channel may be asked about it. */
  syncable: z.boolean(),
});

/** The one filter that the list, its summary and its export share. */
export const payOrderFilter = {
  ...scopeFilter,
  ...dateRange,
  dateOf: oneOf(dateOf).default("created"),
  /** An order, till, channel or refund number, whole (dates are then ignored), or the last 4 to 8 digits of an order number. */
  keyword: line(64).optional(),
  status: oneOf(orderStatus).optional(),
  orderType: oneOf(orderType).optional(),
  channel: oneOf(payChannel).optional(),
  tool: oneOf(payTool).optional(),
  payMethod: oneOf(payMethod).optional(),
  /** 钱包 and 收款方式: the words that tools and methods are shown through. */
  wallet: oneOf(payWallet).optional(),
  way: oneOf(payWay).optional(),
  deviceId: id.optional(),
  cashierId: id.optional(),
  memberId: id.optional(),
  purpose: oneOf(orderPurpose).optional(),
  tradeType: oneOf(tradeType).optional(),
  /** The hour and the weekday (1 is Monday) of the moment that the dates mean, in Shanghai. */
  hour: wholeNumber(0, 23).optional(),
  weekday: wholeNumber(1, 7).optional(),
  lacking: lackingFilter.optional(),
  minCents: queryCents.optional(),
  maxCents: queryCents.optional(),
  /** Only orders of which something went back or is on its way back. */
  refunded: flag.optional(),
};

/** So many orders are asked about, or printed again, in one go. */
export const MOST_ORDERS_AT_ONCE = 50;

export const listPayOrders = read({
  path: "/api/orders/pay-orders",
  title: "支付订单",
  access: "/dataCentre/payOrder",
  input: listInput(payOrderFilter, ["-createdAt", "createdAt"]),
  output: listOutput(payOrderRow),
});
export const payOrderViews = viewsOf(listPayOrders, {
  waiting: ["今天待支付", { status: "0", dateOf: "created" }, "today"],
  refunded: ["近 7 天有退款", { refunded: "true", dateOf: "created" }, "last7"],
  large: ["近 7 天大额（满 1,000 元）", { status: "2", minCents: "100000", dateOf: "created" }, "last7"],
  closed: ["昨天没付成", { status: "1", dateOf: "created" }, "yesterday"],
});

/** Sums over the whole filter. Amounts are those of paid orders; the counts by status leave the status filter out. */
export const summarisePayOrders = read({
  path: "/api/orders/pay-orders/summary",
  title: "支付订单合计",
  access: "/dataCentre/payOrder",
  bearsDelay: true,
  input: z.object(payOrderFilter),
  output: z.object({
    count: z.int(),
    paidCount: z.int(),
    grossCents: cents,
    discountCents: cents,
    storedValueCents: cents,
    paidCents: cents,
    refundedCents: cents,
    feeCents: cents,
    perStatus: z.array(z.object({ status: oneOf(orderStatus), count: z.int() })),
  }),
});

export const orderEvent = z.object({
  id,
  at: instant,
  kind: oneOf(orderEventKind),
  note: z.string(),
  byName: z.string().nullable(),
  refundId: id.nullable(),
});
export const channelCall = z.object({
  id,
  operation: oneOf(channelOperation),
  outcome: oneOf(channelOutcome).nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  startedAt: instant,
  endedAt: instant.nullable(),
  refundId: id.nullable(),
});

/** What an order was made of: its goods and what came off them; null where it came as an amount. */
export const orderPrice = z.object({
  lines: z.array(
    z.object({
      place: z.int(),
      name: z.string(),
      units: z.int(),
      unitCents: cents,
      /** What the line came to before tenders: its value in a refund. */
      netCents: cents,
      /** Units that are not back and not on their way back. */
      leftUnits: z.int(),
    }),
  ),
  parts: z.array(pricePart),
  tenders: z.array(priceTender),
  /** Vouchers of platforms among the parts. */
  vouchers: z.array(orderVoucher),
});

export const getPayOrder = read({
  path: "/api/orders/pay-orders/:id",
  title: "支付订单详情",
  access: ["/dataCentre/payOrder", "/dataCentre/payRefund", "/dataCentre/refund", "/dataCentre/storeOrder"],
  input: z.object({ id }),
  output: payOrderRow.extend({
    feeRate: z.int(),
    expiresAt: instant,
    closedAt: instant.nullable(),
    refundCount: z.int(),
    price: orderPrice.nullable(),
    /** 为什么是这个价, in the words of a quote; the steps end at what was paid in money. */
    why: z.object({ steps: z.array(priceWhy), refused: z.array(priceWhy) }),
    /** Where its customer applies for an invoice; told to merchants and stores alone, null where none is issued. */
    invoiceUrl: z.string().nullable(),
    events: z.array(orderEvent),
    ledger: z.array(ledgerEntry),
    refunds: z.array(refundRow),
    channelCalls: z.array(channelCall),
  }),
});

/** Asks the channel about an order and takes over what it says. */
export const syncPayOrder = write({
  path: "/api/orders/pay-orders/sync",
  title: "同步订单",
  access: "/dataCentre/payOrder/sync",
  rate: "money",
  outside: true,
  deadline_ms: 25_000,
  input: z.object({ id }),
  output: z.object({ status: oneOf(orderStatus), changed: z.boolean(), message: z.string() }),
});
