import { z } from "zod";
import { payChannel, payMethod, payTool, payWallet, payWay } from "../../channels/contract.ts";
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
import { refundShare } from "../../profit-sharing/contract/index.ts";
import { failedRefunds, orderPurpose, refundDateOf, refundStatus, refundType, requestState, tradeType } from "./codes.ts";
import { lackingFilter } from "./lacking.ts";

export const refundRow = z.object({
  id,
  refundNo: z.string(),
  orderId: id,
  orderNo: z.string(),
  merchantId: id,
  merchantName: z.string(),
  storeId: id,
  storeName: z.string(),
  channel: oneOf(payChannel),
  tool: oneOf(payTool),
  payMethod: oneOf(payMethod),
  /** The money, through the channel. */
  amountCents: cents,
  /** Money and stored value together: what the customer gets back; and what of it goes back to the member. */
  valueCents: cents,
  principalCents: cents,
  giftCents: cents,
  pointsBack: z.int(),
  /** What of the fee comes back to the merchant. */
  feeCents: cents,
  orderPaidCents: cents,
  refundType: oneOf(refundType),
  status: oneOf(refundStatus),
  reason: z.string(),
  requestedByName: z.string(),
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  decisionNote: z.string().nullable(),
  channelRefundNo: z.string().nullable(),
  /** The channel's own word: PROCESSING, SUCCESS, CLOSED, ABNORMAL. */
  channelStatus: z.string().nullable(),
  failure: z.string().nullable(),
  /** 待审批 until the order's invoice is taken back in red, or its vouchers at their platform; or the invoice could not be, and whoever approves says why. */
  waitsFor: z.enum(["red", "red-failed", "voucher"]).nullable(),
  attempts: z.int(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  /** The caller may send it again. */
  retryable: z.boolean(),
  /** The caller may approve or reject it; nobody decides their own request. */
  decidable: z.boolean(),
  /** The caller asked for it and may take the request back. */
  cancellable: z.boolean(),
});

/** The one filter that the list, its summary and its export share. */
export const refundFilter = {
  ...scopeFilter,
  ...dateRange,
  dateOf: oneOf(refundDateOf).default("created"),
  /** A refund, order or channel number, whole; dates are then ignored. */
  keyword: line(64).optional(),
  status: oneOf(refundStatus).optional(),
  failed: oneOf(failedRefunds).optional(),
  refundType: oneOf(refundType).optional(),
  channel: oneOf(payChannel).optional(),
  tool: oneOf(payTool).optional(),
  /** Of the order: where it was rung up, and by whom. */
  deviceId: id.optional(),
  cashierId: id.optional(),
  payMethod: oneOf(payMethod).optional(),
  wallet: oneOf(payWallet).optional(),
  way: oneOf(payWay).optional(),
  tradeType: oneOf(tradeType).optional(),
  purpose: oneOf(orderPurpose).optional(),
  /** The hour and the weekday (1 is Monday) of the moment that the dates mean, in Shanghai. */
  hour: wholeNumber(0, 23).optional(),
  weekday: wholeNumber(1, 7).optional(),
  lacking: lackingFilter.optional(),
  minCents: queryCents.optional(),
  maxCents: queryCents.optional(),
};

export const listRefunds = read({
  path: "/api/orders/refunds",
  title: "支付退款订单",
  access: "/dataCentre/payRefund",
  input: listInput(refundFilter, ["-createdAt", "createdAt"]),
  output: listOutput(refundRow),
});
export const refundViews = viewsOf(listRefunds, {
  failed: ["失败，还要处理", { failed: "open", dateOf: "created" }],
  waiting: ["待审批", { status: "0", dateOf: "created" }],
  today: ["今天申请", { dateOf: "created" }, "today"],
  moving: ["退款中", { status: "1", dateOf: "created" }],
});

/** Sums over the whole filter; the counts by status leave the status filter out. */
export const summariseRefunds = read({
  path: "/api/orders/refunds/summary",
  title: "支付退款合计",
  access: "/dataCentre/payRefund",
  bearsDelay: true,
  input: z.object(refundFilter),
  output: z.object({
    count: z.int(),
    amountCents: cents,
    doneCount: z.int(),
    doneCents: cents,
    doneFeeCents: cents,
    perStatus: z.array(z.object({ status: oneOf(refundStatus), count: z.int() })),
  }),
});

export const getRefund = read({
  path: "/api/orders/refunds/:id",
  title: "退款详情",
  access: ["/dataCentre/payRefund", "/dataCentre/refund", "/dataCentre/payOrder", "/reconciliation/pay", "/reconciliation/refund"],
  input: z.object({ id }),
  output: refundRow,
});

/** What each party gets back or gives back by a refund. */
const refundParties = {
  /** Back to the payer, the way it came. */
  payerCents: cents,
  /** Of the fee, back to the merchant. */
  feeBackCents: cents,
  /** What leaves the merchant: payer less fee less what receivers of shares give back. */
  merchantPaysCents: cents,
  /** What each receiver of a share gives back before it, or why not. */
  shares: z.array(refundShare),
  sharesBackCents: cents,
  /** What each receiver of a part of the fee gives back of it, as much of it as the caller may see. */
  clawback: z.array(z.object({ name: z.string(), cents })),
  /** What cannot come back of them, and the merchant bears. */
  borneCents: cents,
};

/** Units of lines that go back; or an amount. */
export const refundUnits = z
  .array(z.object({ place: z.int().min(1), units: z.int("数量须为整数").min(1, "数量须大于 0").max(9999) }))
  .min(1, "请选择要退的商品")
  .max(200)
  .refine((all) => new Set(all.map(({ place }) => place)).size === all.length, "同一行商品只能填写一次");

/** A platform's voucher that stands in an order, by the attempt that used it. */
export const orderVoucher = z.object({
  attemptId: id,
  voucherId: id,
  platform: z.enum(["dy", "ks"]),
  name: z.string(),
  offCents: cents,
  /** 1 stands, 5 is being taken back, 6 was taken back. */
  status: z.union([z.literal(1), z.literal(5), z.literal(6)]),
  /** Until when its platform is still asked to take it back; and why it is not any more. */
  until: instant.nullable(),
  refusal: z.string().nullable(),
});
/** Vouchers that are taken back at their platform before the refund goes out; left out: all that can be, where the refund leaves nothing. */
export const refundVouchers = z.array(id).max(20, "一单最多 20 张平台券");
/** What a refund would give back, and take back, of everything that the customer brought (docs/money.md). */
export const refundBack = z.object({
  valueCents: cents,
  moneyCents: cents,
  principalCents: cents,
  giftCents: cents,
  /** Points that were spent and come back, and points that were earned and are taken back. */
  pointsBack: z.int(),
  pointsClawed: z.int(),
  coupons: z.array(z.object({ no: z.string(), name: z.string(), back: z.boolean(), why: z.string() })),
  /** What was given with the order and goes or stays, in words. */
  gifts: z.array(z.string()),
  /** Vouchers of platforms that stand in the order. */
  vouchers: z.array(orderVoucher),
});

/** Of it what concerns the member: their value and points, and what came with the order or was used for it. */
const refundMember = refundBack.omit({ valueCents: true, moneyCents: true, vouchers: true }).shape;

/** What a refund would do: to the payer, to the fee, to the merchant. Nothing is reserved. */
export const previewRefund = read({
  path: "/api/orders/refund-preview",
  title: "退款试算",
  access: "/dataCentre/payOrder/refund",
  input: z.object({
    orderId: id,
    amountCents: queryCents.optional(),
    /** Instead of an amount: units by the place of their line, as `1:2,3:1`. */
    units: z
      .string()
      .regex(/^\d{1,3}:\d{1,4}(?:,\d{1,3}:\d{1,4})*$/, "商品数量格式不正确")
      .optional(),
    /** Vouchers that are to be taken back, by their attempts with commas; empty: none. */
    vouchers: z
      .string()
      .regex(/^(?:[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,19})?$/, "平台券格式不正确")
      .optional(),
  }),
  output: z.object({
    refundType: oneOf(refundType),
    ...refundBack.shape,
    ...refundParties,
    refundableAfterCents: cents,
    needsApproval: z.boolean(),
    /** The merchant's refund password is asked for. */
    needsPassword: z.boolean(),
    /** Why it would be refused. */
    refusal: z.string().nullable(),
    /** What is done before it goes out, in words: an invoice is taken back first. */
    holds: z.string().nullable(),
    /** What becomes of its invoices without anything waiting for them, in words. */
    invoices: z.string().nullable(),
  }),
});

/** Nothing voids an order that came to nothing, and takes back vouchers alone. */
export const refundAmount = z.int("退款金额须为整数分").min(0, "退款金额不能小于 0").max(999_999_999, "退款金额不能超过 9,999,999.99 元");
/** Where the merchant has set one, at every refund from the back-office, also where one is sent again. */
export const refundPassword = z.string().max(32).optional();
const refundAnswer = z.object({ refundId: id, refundNo: z.string(), status: oneOf(refundStatus) });

export const refundOrder = write({
  path: "/api/orders/refunds",
  title: "退款",
  access: "/dataCentre/payOrder/refund",
  rate: "money",
  idempotent: "requestId",
  oneAtATime: "orderId",
  input: z.object({
    requestId: id,
    orderId: id,
    /** Its value; nothing for an order without any. */
    amountCents: refundAmount.optional(),
    /** Instead of an amount. */
    units: refundUnits.optional(),
    vouchers: refundVouchers.optional(),
    reason: line(80, 1, "请填写退款原因"),
    refundPassword,
  }),
  output: refundAnswer,
});

/** Sends a failed refund again, under the same number of ours. */
export const retryRefund = write({
  path: "/api/orders/refunds/retry",
  title: "重新退款",
  access: "/dataCentre/payRefund/retry",
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    id,
    /** The merchant bears what did not come back of its shares. */
    bear: z.boolean().optional(),
    refundPassword,
  }),
  output: refundAnswer,
});

/** What each party would get or give back, were it sent again now. */
export const previewRefundRetry = read({
  path: "/api/orders/refunds/:id/retry-preview",
  title: "重新退款试算",
  access: "/dataCentre/payRefund/retry",
  input: z.object({ id, bear: flag.optional() }),
  output: z.object({
    ...refundParties,
    /** The merchant's refund password is asked for. */
    needsPassword: z.boolean(),
    /** Why it would be refused. */
    refusal: z.string().nullable(),
  }),
});

export const refundRequestFilter = { ...scopeFilter, ...dateRange, keyword: line(64).optional(), state: oneOf(requestState).optional() };
/** Refunds above the merchant's limit: those that wait, and what became of the others. */
export const listRefundRequests = read({
  path: "/api/orders/refund-requests",
  title: "退款申请",
  access: "/dataCentre/refund",
  input: listInput(refundRequestFilter, ["-createdAt", "createdAt"]),
  output: listOutput(refundRow),
});
export const requestViews = viewsOf(listRefundRequests, {
  waiting: ["待审批", { state: "pending" }],
  today: ["今天申请", {}, "today"],
  refused: ["近 30 天已驳回", { state: "rejected" }, "last30"],
});
/** Sums over the whole filter; the counts by state leave the state out. */
export const summariseRefundRequests = read({
  path: "/api/orders/refund-requests/summary",
  title: "退款申请合计",
  access: "/dataCentre/refund",
  input: z.object(refundRequestFilter),
  output: z.object({
    count: z.int(),
    amountCents: cents,
    perState: z.array(z.object({ status: oneOf(requestState), count: z.int() })),
  }),
});

/** While nobody has decided, and by whoever asked alone; the amount is free again. */
export const cancelRefundRequest = write({
  path: "/api/orders/refund-requests/cancel",
  title: "撤回退款申请",
  access: "/dataCentre/payOrder/refund",
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, id }),
  output: refundAnswer,
});
/** What a request that waits would do once it is approved, as it is set aside. */
export const previewRefundRequest = read({
  path: "/api/orders/refund-requests/:id/preview",
  title: "退款申请试算",
  access: "/dataCentre/refund/decide",
  input: z.object({ id }),
  output: z.object({ ...refundMember, ...refundParties }),
});
export const decideRefundRequest = write({
  path: "/api/orders/refund-requests/decide",
  title: "退款审批",
  access: "/dataCentre/refund/decide",
  rate: "money",
  idempotent: "requestId",
  input: z
    .object({ requestId: id, id, decision: z.enum(["approve", "reject"]), note: line(80).optional() })
    .refine((given) => given.decision === "approve" || (given.note ?? "") !== "", { path: ["note"], message: "请填写驳回原因" }),
  output: refundAnswer,
});
