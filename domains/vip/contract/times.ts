import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { memberShown } from "../../members/contract/index.ts";
import { productState, timesCardStatus, timesReason, timesUseState } from "./codes.ts";
import { memberNo, payByCode } from "./terms.ts";

const count = (what: string, least: number) =>
  z.int(`${what}须为整数`).min(least, `${what}不能少于 ${least}`).max(999, `${what}不能超过 999`);
const price = (what: string) =>
  z.int(`${what}须为整数分`).min(1, `${what}须大于 0`).max(99_999_999, `${what}不能超过 999,999.99 元`).brand<"Cents">();
export const productFacts = {
  name: line(32, 1, "请填写名称"),
  times: count("次数", 1),
  giftTimes: count("赠送次数", 0).default(0),
  priceCents: price("售价"),
  /** What one use costs without the card. */
  singlePriceCents: price("单次价"),
  days: z.int("有效天数须为整数").min(1, "有效天数至少 1 天").max(3650, "有效天数最多 3650 天"),
  /** Where it is good; none: everywhere. */
  storeIds: z.array(id).max(200, "最多选择 200 家门店").default([]),
};
export const productFilters = { keyword: line(32).optional(), state: oneOf(productState).optional() };
const productRow = z.object({
  id: z.string(),
  name: z.string(),
  times: z.int(),
  giftTimes: z.int(),
  priceCents: cents,
  singlePriceCents: cents,
  days: z.int(),
  storeIds: z.array(z.string()),
  storeNames: z.string(),
  state: oneOf(productState),
  soldCount: z.int(),
  revision: z.int(),
  createdAt: instant,
});
const products = "/vip-member/timesCard";
export const listTimesProducts = read({
  path: "/api/vip/times-products",
  title: "次卡",
  access: products,
  input: listInput(productFilters, ["-createdAt"]),
  output: listOutput(productRow),
});
export const summariseTimesProducts = read({
  path: "/api/vip/times-products/summary",
  title: "次卡汇总",
  access: products,
  input: z.object(productFilters),
  output: z.object({ count: z.int(), soldCount: z.int(), byState: z.record(z.string(), z.int()) }),
});
export const getTimesProduct = read({
  path: "/api/vip/times-products/:id",
  title: "次卡产品详情",
  access: products,
  input: z.object({ id }),
  output: productRow,
});
export const addTimesProduct = write({
  path: "/api/vip/times-products/add",
  title: "新建次卡",
  access: "/vip-member/timesCard/edit",
  input: z.object(productFacts),
  output: done.extend({ id: z.string() }),
});
/** Cards that were sold keep what they were sold with. */
export const updateTimesProduct = write({
  path: "/api/vip/times-products/update",
  title: "修改次卡",
  access: "/vip-member/timesCard/edit",
  input: z.object({ id, revision: z.int(), ...productFacts }),
  output: done,
});
export const setTimesProductState = write({
  path: "/api/vip/times-products/state",
  title: "启停次卡",
  access: "/vip-member/timesCard/edit",
  input: z.object({ id, state: oneOf(productState) }),
  output: done,
});

export const cardFilters = {
  ...dateRange,
  keyword: line(32).optional(),
  storeId: id.optional(),
  status: oneOf(timesCardStatus).optional(),
};
export const cardRow = z.object({
  id: z.string(),
  cardNo: z.string(),
  orderId: z.string(),
  orderNo: z.string(),
  ...memberShown,
  storeId: z.string(),
  storeName: z.string(),
  name: z.string(),
  times: z.int(),
  giftTimes: z.int(),
  leftTimes: z.int(),
  priceCents: cents,
  /** What of the price is used; what is left is owed. */
  earnedCents: cents,
  leftCents: cents,
  status: oneOf(timesCardStatus),
  firstDay: day.nullable(),
  lastDay: day.nullable(),
  refundCents: cents.nullable(),
  paidAt: instant.nullable(),
  createdAt: instant,
});
const cards = "/vip-member/timesOrders";
export const listTimesCards = read({
  path: "/api/vip/times-cards",
  title: "次卡订单",
  access: cards,
  input: listInput(cardFilters, ["-createdAt"]),
  output: listOutput(cardRow),
});
/** 售出 = 已用 + 未用 + 已退 + 退卡差额. */
export const summariseTimesCards = read({
  path: "/api/vip/times-cards/summary",
  title: "次卡订单汇总",
  access: cards,
  input: z.object(cardFilters),
  output: z.object({
    count: z.int(),
    soldCents: cents,
    earnedCents: cents,
    leftCents: cents,
    refundedCents: cents,
    forfeitedCents: cents,
    byStatus: z.record(z.string(), z.int()),
  }),
});
const useRow = z.object({
  id: z.string(),
  cardId: z.string(),
  cardNo: z.string(),
  name: z.string(),
  ...memberShown,
  storeId: z.string(),
  storeName: z.string(),
  soldStoreName: z.string(),
  times: z.int(),
  valueCents: cents,
  by: z.string(),
  at: instant,
  state: oneOf(timesUseState),
  reversedAt: instant.nullable(),
  reversedBy: z.string().nullable(),
  /** Through when it may be taken back; null where that is over. */
  reversibleUntil: instant.nullable(),
});
export const getTimesCard = read({
  path: "/api/vip/times-cards/:id",
  title: "次卡订单详情",
  access: cards,
  input: z.object({ id }),
  output: cardRow.extend({
    singlePriceCents: cents,
    storeNames: z.string(),
    refundReason: oneOf(timesReason).nullable(),
    refundNo: z.string().nullable(),
    codeUrl: z.string().nullable(),
    uses: z.array(useRow.pick({ id: true, storeName: true, times: true, valueCents: true, at: true, state: true, by: true })),
  }),
});
export const getTimesOffers = read({
  path: "/api/vip/times-offers",
  title: "可售次卡",
  access: "/vip-member/timesOrders/sell",
  input: z.object({}),
  output: z.object({ products: z.array(z.object({ id: z.string(), name: z.string(), priceCents: cents })) }),
});
export const sellTimesCard = write({
  path: "/api/vip/times-cards/sell",
  title: "售次卡",
  access: "/vip-member/timesOrders/sell",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  idempotent: "requestId",
  input: z.object({ requestId: id, memberNo, storeId: id, productId: id }),
  output: payByCode,
});
/** 延期: free, to a later day. */
export const extendTimesCard = write({
  path: "/api/vip/times-cards/extend",
  title: "次卡延期",
  access: "/vip-member/timesOrders/extend",
  closedToActing: true,
  input: z.object({ id, lastDay: day, reason: line(80, 1, "请填写延期原因") }),
  output: done,
});
/** What goes back for each reason, with its reckoning; one that does not apply says why. */
export const previewTimesRefund = read({
  path: "/api/vip/times-cards/refund",
  title: "次卡退款试算",
  access: "/vip-member/timesOrders/refund",
  input: z.object({ id }),
  output: z.object({
    priceCents: cents,
    times: z.int(),
    usedTimes: z.int(),
    leftTimes: z.int(),
    singlePriceCents: cents,
    usedCents: cents,
    leftCents: cents,
    reasons: z.array(
      z.object({
        reason: oneOf(timesReason),
        refundCents: cents,
        /** What is left of the card's value and does not go back; below 0 the merchant pays more. */
        forfeitedCents: cents,
        how: z.string(),
        refusal: z.string().nullable(),
      }),
    ),
    needsPassword: z.boolean(),
    refusal: z.string().nullable(),
  }),
});
export const refundTimesCard = write({
  path: "/api/vip/times-cards/refund",
  title: "次卡退款",
  access: "/vip-member/timesOrders/refund",
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    id,
    reason: oneOf(timesReason),
    refundCents: cents,
    note: line(80, 1, "请填写说明"),
    refundPassword: z.string().max(32).optional(),
  }),
  output: z.object({ refundId: z.string(), refundNo: z.string(), status: z.int() }),
});

export const useFilters = {
  ...dateRange,
  keyword: line(32).optional(),
  storeId: id.optional(),
  state: oneOf(timesUseState).optional(),
  cardId: id.optional(),
};
const uses = "/vip-member/timesRecords";
export const listTimesUses = read({
  path: "/api/vip/times-uses",
  title: "次卡核销",
  access: uses,
  bearsDelay: true,
  input: listInput(useFilters, ["-at"]),
  output: listOutput(useRow),
});
export const summariseTimesUses = read({
  path: "/api/vip/times-uses/summary",
  title: "次卡核销汇总",
  access: uses,
  bearsDelay: true,
  input: z.object(useFilters),
  output: z.object({ count: z.int(), times: z.int(), valueCents: cents, reversed: z.int(), byState: z.record(z.string(), z.int()) }),
});
/** 撤销核销: within 24 hours, once. */
export const reverseTimesUse = write({
  path: "/api/vip/times-uses/reverse",
  title: "撤销核销",
  access: "/vip-member/timesRecords/reverse",
  closedToActing: true,
  input: z.object({ id, reason: line(80, 1, "请填写原因") }),
  output: done,
});
