import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, oneOf } from "@zhangfang/contract/fields.ts";
import { takeawayBy, takeawayDay, takeawayPlatform } from "./codes.ts";
import { takeawayMoney } from "./orders.ts";

export const MOST_FIGURE_DAYS = 92;
const figures = z.object({
  /** Orders that count: cancelled ones are in no other figure. */
  orders: z.int(),
  cancelled: z.int(),
  /** Orders whose income is unlike its parts. */
  odd: z.int(),
  ...takeawayMoney,
  /** 净收入: income less what the shop bears of refunds. */
  netCents: cents,
  /** 客单价: 用户实付 by order, rounded; null without orders. */
  averageCents: cents.nullable(),
});
const takeawayFigureFilter = {
  from: day,
  to: day,
  by: oneOf(takeawayBy).default("platform"),
  dayOf: oneOf(takeawayDay).default("placed"),
  platform: oneOf(takeawayPlatform).optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
};
/** 外卖汇总 (platforms.md 3). Days are Shanghai days; by the day of completion only completed orders count. */
export const getTakeawayFigures = read({
  path: "/api/takeaway/figures",
  title: "外卖汇总",
  access: "/dataCentre/takeaway",
  bearsDelay: true,
  input: z
    .object(takeawayFigureFilter)
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "结束日期不能早于开始日期" })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_FIGURE_DAYS * 86_400_000, {
      path: ["to"],
      message: `最多查询 ${MOST_FIGURE_DAYS} 天`,
    }),
  output: z.object({
    total: figures,
    rows: z.array(
      figures.extend({
        /** A platform, a store or a day; `none` of stores: mapped to none of ours. */
        id: z.string(),
        name: z.string(),
      }),
    ),
    more: z.boolean(),
    /** Platform stores of these orders that are mapped to none of ours: their orders stand under no store. */
    unmapped: z.int(),
    /** Orders that a platform told of and that are not fetched yet. */
    waiting: z.int(),
    /** Orders that a platform told of in the last 30 days and that are asked for no more: no answer came. */
    unfetched: z.int(),
  }),
});
