import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { day, id, instant, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { fanBy, fanChannelKind, fanPart, followWay } from "./codes.ts";

const access = "/wxCRM/fansSummary";
export const MOST_FAN_DAYS = 92;
/** A source: a code of ours, WeChat's word for the way, or that nobody has said. */
export const source = z.object({
  channelId: id.nullable(),
  channelKind: oneOf(fanChannelKind).nullable(),
  channelName: z.string().nullable(),
  way: z.string().nullable(),
});
const common = {
  appRow: id.optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
  channelId: id.optional(),
  way: oneOf(followWay).optional(),
  /** Follows without a store, or whose source nobody has said. */
  none: z.enum(["store", "source"]).optional(),
};
const figures = z.object({
  /** Following at the day's end and not at its start; the reverse; the difference. */
  joined: z.int(),
  left: z.int(),
  net: z.int(),
  /** Followed and left within the day: in none of the others. */
  flash: z.int(),
  /** Following at the end of the last day: that of the day before, and `net`. */
  total: z.int(),
  /** Of those who joined and whose 7th, 30th day after is over: how many, and how many of them follow at its end. */
  of7: z.int(),
  kept7: z.int(),
  of30: z.int(),
  kept30: z.int(),
});
/** 粉丝汇总 (platforms.md 6). Days are Shanghai days. A follow counts for its last source; a source and a store are those of the code. */
export const getFanFigures = read({
  path: "/api/wx-fans/figures",
  title: "粉丝汇总",
  bearsDelay: true,
  access,
  input: z
    .object({ from: day, to: day, by: oneOf(fanBy).default("day"), ...common })
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "结束日期不能早于开始日期" })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_FAN_DAYS * 86_400_000, {
      path: ["to"],
      message: `最多查询 ${MOST_FAN_DAYS} 天`,
    }),
  output: z.object({
    total: figures,
    /** `id` is the day, the code, the way or the store; `none` is neither. */
    rows: z.array(figures.extend({ id: z.string(), name: z.string(), isWay: z.boolean() })),
    more: z.boolean(),
  }),
});
export const followFilters = { from: day, to: day, part: oneOf(fanPart), by: oneOf(fanBy).default("day"), ...common };
/** 粉丝明细: the follows that a figure is made of, counted as it counts them. */
export const listFollows = read({
  path: "/api/wx-fans/follows",
  title: "粉丝明细",
  bearsDelay: true,
  access,
  input: listInput(followFilters, ["-fromDay"]),
  output: listOutput(
    source.extend({
      id,
      fanId: id,
      no: z.string(),
      appName: z.string(),
      merchantName: z.string(),
      storeName: z.string().nullable(),
      /** Null: before anybody listened; still following. */
      fromAt: instant.nullable(),
      /** The day that it counts from. */
      fromDay: day,
      toAt: instant.nullable(),
      memberId: id.nullable(),
      memberNo: z.string().nullable(),
    }),
  ),
});
