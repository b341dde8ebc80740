import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
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
  access,
  input: listInput(couponFilters, ["-receivedAt"]),
  output: listOutput(row),
});
export const summariseCoupons = read({
  path: "/api/coupons/summary",
  title: "优惠券明细合计",
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
