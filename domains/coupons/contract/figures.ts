import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";

export const figuresBy = labelled({ campaign: "按券", store: "按门店", day: "按日" });
export const MOST_FIGURE_DAYS = 92;
const figures = z.object({
  /** What happened in those days. A store gives out nothing: of stores these four are not told. */
  issued: z.int().nullable(),
  expired: z.int().nullable(),
  voided: z.int().nullable(),
  /** Of those that were received in these days, how many are used by now, and of how many. */
  received: z.int().nullable(),
  receivedUsed: z.int().nullable(),
  used: z.int(),
  /** Came back with a whole refund. */
  returned: z.int(),
  /** What came off less what refunds gave back of it, and what of it the provider pays. */
  offCents: cents,
  providerCents: cents,
  /** Orders that used one, what they came to before anything came off less refunds, and how many were their customer's first. */
  orders: z.int(),
  drivenCents: cents,
  newOrders: z.int(),
});
export const figureFilter = {
  from: day,
  to: day,
  by: oneOf(figuresBy).default("campaign"),
  merchantId: id.optional(),
  storeId: id.optional(),
};
/** 优惠券汇总: what was given out, used and brought in some days (marketing.md 9). */
export const getCouponFigures = read({
  path: "/api/coupons/figures",
  title: "优惠券汇总",
  access: "/dataCentre/coupon",
  bearsDelay: true,
  input: z
    .object(figureFilter)
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "结束日期不能早于开始日期" })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_FIGURE_DAYS * 86_400_000, {
      path: ["to"],
      message: `最多查询 ${MOST_FIGURE_DAYS} 天`,
    }),
  output: z.object({
    total: figures,
    rows: z.array(figures.extend({ id: z.string(), name: z.string() })),
    /** There are more rows than are told. */
    more: z.boolean(),
    /** The most that what is out now may cost, as far as whole merchants are looked at. */
    openCents: cents.nullable(),
    /** 在外: how many those are. */
    openCount: z.int().nullable(),
  }),
});
