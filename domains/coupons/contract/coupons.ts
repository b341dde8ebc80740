import { z } from "zod";
import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, done, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { couponCause, couponKind, couponSource, couponState } from "./codes.ts";

const access = "/dataCentre/couponDetail";
/** What the list is narrowed by, also for its file. */
export const couponFilters = {
  ...scopeFilter,
  /** The coupon's or the member's number. */
  keyword: line(32).optional(),
  campaignId: id.optional(),
  memberId: id.optional(),
  state: oneOf(couponState).optional(),
  source: oneOf(couponSource).optional(),
  ...dateRange,
};
const row = z.object({
  id,
  /** The last four digits alone. */
  no: z.string(),
  campaignId: id,
  campaignNo: z.string(),
  name: z.string(),
  kind: oneOf(couponKind),
  worth: z.string(),
  state: oneOf(couponState),
  source: oneOf(couponSource),
  memberId: id,
  memberNo: z.string(),
  merchantName: z.string(),
  validFrom: instant,
  validTo: instant,
  receivedAt: instant,
  usedAt: instant.nullable(),
  usedStoreName: z.string().nullable(),
  orderNo: z.string().nullable(),
  offCents: cents.nullable(),
});
/** 优惠券明细. */
export const listCoupons = read({
  path: "/api/coupons",
  title: "优惠券明细",
  bearsDelay: true,
  access,
  input: listInput(couponFilters, ["-receivedAt"]),
  output: listOutput(row),
});
export const couponViews = viewsOf(listCoupons, {
  today: ["今天领取", {}, "today"],
  locked: ["使用中", { state: "LOCKED" }],
  used: ["近 30 天领取，已核销", { state: "USED" }, "last30"],
  dead: ["已作废", { state: "DEACTIVATED" }],
});
export const summariseCoupons = read({
  path: "/api/coupons/summary",
  title: "优惠券明细合计",
  bearsDelay: true,
  access,
  input: z.object(couponFilters),
  output: z.object({ states: z.array(z.object({ state: oneOf(couponState), count: z.int() })), more: z.boolean() }),
});
/** One coupon and each step of its life. */
export const getCoupon = read({
  path: "/api/coupons/one",
  title: "优惠券明细",
  access,
  input: z.object({ id }),
  output: row.extend({
    said: z.string(),
    note: z.string(),
    events: z.array(
      z.object({
        from: oneOf(couponState).nullable(),
        to: oneOf(couponState),
        cause: oneOf(couponCause),
        orderNo: z.string().nullable(),
        by: z.string(),
        at: instant,
      }),
    ),
  }),
});

// 核销台: what a coupon's code can do without an order. Whoever uses vouchers at the desk may look at one, and use one up before its holder's eyes.
const desk = { access: ["/plat-dy/coupon/verify", "/plat-ks/coupon/verify"], closedToActing: true } as const;
const couponCode = z
  .string()
  .trim()
  .regex(/^98\d{18}$/, "请扫顾客手机上的券码");
/** 查优惠券: its code is read for this store, where a till takes it for ten minutes too. */
export const lookAtCoupon = write({
  ...desk,
  path: "/api/coupons/desk/look",
  title: "核销台查优惠券",
  silent: true,
  rate: "poll",
  input: z.object({ storeId: id, code: couponCode }),
  output: z.object({
    name: z.string(),
    kind: oneOf(couponKind),
    worth: z.string(),
    said: z.string(),
    /** The last four digits. */
    tail: z.string(),
    state: oneOf(couponState),
    validTo: instant,
    /** Why it can't be used here at all; empty where it can. */
    why: z.string(),
    /** Whether it can be used up here without an order; else the till takes it off an order's price. */
    alone: z.boolean(),
  }),
});
/** 核销优惠券 without an order (自助核销), where its terms allow that. It can't be taken back. */
export const useCouponAtDesk = write({
  ...desk,
  path: "/api/coupons/desk/use",
  title: "核销台核销优惠券",
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, storeId: id, code: couponCode }),
  output: done.extend({ usedAt: instant }),
});
