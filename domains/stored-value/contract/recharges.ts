import { z } from "zod";
import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import {
  cents,
  dateRange,
  done,
  id,
  instant,
  line,
  listInput,
  listOutput,
  oneOf,
  positiveCents,
  scopeFilter,
  queryCents,
} from "@zhangfang/contract/fields.ts";
import { payChannel } from "../../channels/contract.ts";
import { createTillOrder, tillOrder } from "../../orders/contract/index.ts";
import { drawMode } from "../../value-book/contract.ts";
import { memberShown } from "../../members/contract/index.ts";
import { offlineWay, rechargeStatus, rechargeWay } from "./codes.ts";

const { tillNo, tradeType, ticket, wallet, authCode, openId, cashierCode } = createTillOrder.input.shape;
/** 充值 at a till: an order of its own kind. What comes with it goes by the rule as it stands; `ruleId` refuses another one. */
export const createTillRecharge = write({
  path: "/api/till/recharges",
  title: "收银充值",
  access: "device",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    tillNo,
    ticket: ticket.unwrap(),
    amountCents: positiveCents,
    /** The rule that the till has shown; another one by now is refused. */
    ruleId: id.optional(),
    /** The coupons that the till has shown, in its words, empty for none; others by now are refused. */
    coupons: z.string().max(200).optional(),
    tradeType: tradeType.unwrap(),
    wallet,
    authCode,
    openId,
    cashierCode,
  }),
  output: tillOrder.extend({ giftCents: cents, points: z.int(), coupons: z.string() }),
});

const { serviceProviderId, merchantId, storeId } = scopeFilter;
export const rechargeFilters = {
  serviceProviderId,
  merchantId,
  storeId,
  /** An order's number, or a member's. */
  keyword: line(40).optional(),
  memberId: id.optional(),
  status: oneOf(rechargeStatus).optional(),
  way: oneOf(rechargeWay).optional(),
  channel: oneOf(payChannel).optional(),
  /** Nothing: amounts of one's own. */
  tierCents: queryCents.optional(),
  ...dateRange,
};
const row = z.object({
  id: z.string(),
  storeName: z.string(),
  ...memberShown,
  way: oneOf(rechargeWay),
  status: oneOf(rechargeStatus),
  orderNo: z.string().nullable(),
  channel: oneOf(payChannel).nullable(),
  principalCents: cents,
  giftCents: cents,
  points: z.int(),
  tierCents: cents.nullable(),
  /** Of its lot, now. */
  principalLeftCents: cents,
  giftLeftCents: cents,
  /** Paid back by card refunds. */
  returnedCents: cents,
  createdAt: instant,
  paidAt: instant.nullable(),
});
const access = "/dataCentre/cardRecharge";
export const listRecharges = read({
  path: "/api/stored-value/recharges",
  title: "储值充值",
  access,
  input: listInput(rechargeFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const rechargeViews = viewsOf(listRecharges, {
  waiting: ["待审核", { status: "3" }],
  today: ["今天到账", { status: "2" }, "today"],
  transfers: ["本月转账充值", { status: "2", way: "2" }, "month"],
});
const sums = { count: z.int(), principalCents: cents, giftCents: cents, returnedCents: cents };
export const summariseRecharges = read({
  path: "/api/stored-value/recharges/summary",
  title: "储值充值汇总",
  access,
  input: z.object(rechargeFilters),
  output: z.object({
    ...sums,
    byStatus: z.record(z.string(), z.int()),
    /** Of what has arrived. */
    byStore: z.array(z.object({ id: z.string(), name: z.string(), ...sums })),
    byTier: z.array(z.object({ tierCents: cents.nullable(), ...sums })),
    byChannel: z.array(z.object({ way: oneOf(rechargeWay), channel: oneOf(payChannel).nullable(), ...sums })),
  }),
});
export const getRecharge = read({
  path: "/api/stored-value/recharges/:id",
  title: "充值详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    merchantId: z.string(),
    orderId: z.string().nullable(),
    lotId: z.string().nullable(),
    mode: oneOf(drawMode),
    note: z.string(),
    /** What became of the coupons that came with it, in words; empty where none did. */
    coupons: z.string(),
    /** How many of them could not be given. */
    couponsFailed: z.int(),
    askedBy: z.string(),
    decidedBy: z.string().nullable(),
    mayDecide: z.boolean(),
    /** What happened to its lot, the last first. */
    moves: z.array(
      z.object({
        id: z.string(),
        at: instant,
        cause: z.string(),
        storeName: z.string(),
        orderNo: z.string().nullable(),
        principalCents: cents,
        giftCents: cents,
      }),
    ),
    refunds: z.array(z.object({ id: z.string(), status: z.int(), reason: z.int(), paysCents: cents, createdAt: instant })),
  }),
});
/** 收现金, 收转账: arrives at once, or waits for a second person above the rule's line. */
export const addRecharge = write({
  path: "/api/stored-value/recharges/add",
  title: "登记线下充值",
  access: "/dataCentre/cardRecharge/add",
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    storeId: id,
    memberNo: z.string().regex(/^\d{10}$/, "会员号为 10 位数字"),
    way: oneOf(offlineWay),
    amountCents: positiveCents,
    note: line(100, 1, "请填写收款说明"),
  }),
  output: done.extend({ id: z.string(), status: oneOf(rechargeStatus) }),
});
export const decideRecharge = write({
  path: "/api/stored-value/recharges/decide",
  title: "审核线下充值",
  access: "/dataCentre/cardRecharge/decide",
  closedToActing: true,
  rate: "money",
  input: z.object({ id, approve: z.boolean() }),
  output: done,
});
/** 再发 or 不再发: coupons that came with a recharge and could not be given. */
export const settleRechargeCoupons = write({
  path: "/api/stored-value/recharges/coupons",
  title: "处理充值没发成的券",
  access: "/dataCentre/cardRecharge/decide",
  closedToActing: true,
  input: z.object({ id, again: z.boolean() }),
  output: done,
});
