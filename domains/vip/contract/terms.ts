import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, id, instant, line, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { memberShown } from "../../members/contract/index.ts";
import { levelCause, termEnding, termStatus } from "./codes.ts";

/** What is asked of a person at the office: a member by the number that stands on their page. */
export const memberNo = z.string().regex(/^\d{10}$/, "会员号为 10 位数字");
/** What somebody at the office shows the customer to pay by. */
export const payByCode = z.object({
  id: z.string(),
  orderNo: z.string(),
  /** Null where it is paid, or closed, by now. */
  codeUrl: z.string().nullable(),
  cents,
  expiresAt: instant,
});

export const termFilters = {
  ...dateRange,
  keyword: line(32).optional(),
  storeId: id.optional(),
  rank: wholeNumber(1, 10).optional(),
  status: oneOf(termStatus).optional(),
  ending: oneOf(termEnding).optional(),
};
export const termRow = z.object({
  id: z.string(),
  orderId: z.string(),
  orderNo: z.string(),
  ...memberShown,
  storeId: z.string(),
  storeName: z.string(),
  rank: z.int(),
  name: z.string(),
  months: z.int(),
  priceCents: cents,
  status: oneOf(termStatus),
  firstDay: day.nullable(),
  lastDay: day.nullable(),
  paidAt: instant.nullable(),
  refundCents: cents.nullable(),
  createdAt: instant,
});
const access = "/vip-member/orders";
export const listTerms = read({
  path: "/api/vip/orders",
  title: "VIP订单",
  access,
  input: listInput(termFilters, ["-createdAt"]),
  output: listOutput(termRow),
});
export const summariseTerms = read({
  path: "/api/vip/orders/summary",
  title: "VIP订单汇总",
  access,
  input: z.object(termFilters),
  output: z.object({ count: z.int(), paidCents: cents, refundedCents: cents, running: z.int(), byStatus: z.record(z.string(), z.int()) }),
});
export const getTerm = read({
  path: "/api/vip/orders/:id",
  title: "VIP订单详情",
  access,
  input: z.object({ id }),
  output: termRow.extend({
    refundNo: z.string().nullable(),
    codeUrl: z.string().nullable(),
    /** The member's level now, and how it came about. */
    level: z.object({
      rank: z.int(),
      name: z.string(),
      earnedRank: z.int(),
      keepUntil: day.nullable(),
      growth: z.int(),
      spentCents: cents,
    }),
    history: z.array(z.object({ from: z.string(), to: z.string(), cause: oneOf(levelCause), at: instant })),
  }),
});
/** What can be sold at the caller's counter. */
export const getVipOffers = read({
  path: "/api/vip/offers",
  title: "可售VIP等级",
  access: "/vip-member/orders/sell",
  input: z.object({}),
  output: z.object({ levels: z.array(z.object({ rank: z.int(), name: z.string(), priceCents: cents, months: z.int() })) }),
});
/** 开通VIP: a code that the customer pays. The same request is the same order. */
export const sellTerm = write({
  path: "/api/vip/orders/sell",
  title: "开通VIP",
  access: "/vip-member/orders/sell",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  idempotent: "requestId",
  input: z.object({ requestId: id, memberNo, storeId: id, rank: z.int("请选择等级").min(1, "请选择等级").max(10, "请选择等级") }),
  output: payByCode,
});
/** What would go back today, and by which reckoning. */
export const previewTermRefund = read({
  path: "/api/vip/orders/refund",
  title: "VIP退款试算",
  access: "/vip-member/orders/refund",
  input: z.object({ id }),
  output: z.object({
    refundCents: cents,
    /** whole: seven days, nothing used. days: what is left of them. */
    rule: z.enum(["whole", "days"]),
    daysLeft: z.int(),
    days: z.int(),
    /** Through which day it would be whole, and what was used of the level. */
    wholeThrough: day,
    used: z.string().nullable(),
    needsPassword: z.boolean(),
    refusal: z.string().nullable(),
  }),
});
export const refundTerm = write({
  path: "/api/vip/orders/refund",
  title: "VIP退款",
  access: "/vip-member/orders/refund",
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    id,
    /** What was shown: another sum by now is told and not paid. */
    refundCents: cents,
    reason: line(80, 1, "请填写退款原因"),
    refundPassword: z.string().max(32).optional(),
  }),
  output: z.object({ refundId: z.string(), refundNo: z.string(), status: z.int() }),
});
