import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { entryKind, goodsKind } from "../../platforms/contract/codes.ts";
import { entryPart, entrySource, groupBuyBy } from "./codes.ts";

const access = "/dataCentre/groupBuy";
export const MOST_FIGURE_DAYS = 92;
const figures = z.object({
  /** Uses by their day, of them those that were made at the platform without us; reversals by their own day; the difference. */
  used: z.int(),
  external: z.int(),
  reversed: z.int(),
  net: z.int(),
  /** Of uses less reversals. */
  faceCents: cents,
  payCents: cents,
  merchantTicketCents: cents,
  platformTicketCents: cents,
  expectedFeeCents: cents,
  /** 预计收入 = 用户实付 + 平台补贴 − 预计佣金. */
  expectedCents: cents,
  /** Of bills, for the uses of these days: 实际佣金 and 结算收入 (商家货款). */
  feeCents: cents,
  settledCents: cents,
  /** Used, not reversed, in no bill: how many, and what is expected for them. */
  pending: z.int(),
  pendingCents: cents,
  /** Lines of a bill whose total less commission is not what it pays. */
  uneven: z.int(),
});
const common = {
  /** Left out: of platforms alone. */
  platform: oneOf(entrySource).optional(),
  kind: oneOf(goodsKind).optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
};
const groupBuyFilter = { from: day, to: day, by: oneOf(groupBuyBy).default("platform"), ...common };
/** 团购券汇总 (platforms.md 2, Facts). Days are Shanghai days: a line of a bill counts on the day of its use. */
export const getGroupBuyFigures = read({
  path: "/api/group-buy/figures",
  title: "团购券汇总",
  bearsDelay: true,
  access,
  input: z
    .object(groupBuyFilter)
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "结束日期不能早于开始日期" })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_FIGURE_DAYS * 86_400_000, {
      path: ["to"],
      message: `最多查询 ${MOST_FIGURE_DAYS} 天`,
    }),
  output: z.object({
    total: figures,
    /** `none`: of stores those mapped to none of ours, of kinds what the platform does not say. */
    rows: z.array(figures.extend({ id: z.string(), name: z.string() })),
    more: z.boolean(),
  }),
});

export const entryFilters = {
  from: day.optional(),
  to: day.optional(),
  /** The platform's order, or the voucher's number there. */
  keyword: line(64).optional(),
  part: oneOf(entryPart).optional(),
  /** `none` of stores or kinds, as in the figures. */
  none: z.enum(["store", "kind"]).optional(),
  ...common,
};
/** 团购明细: the uses, reversals and lines of bills that the figures are made of. */
export const listGroupBuyEntries = read({
  path: "/api/group-buy/entries",
  title: "团购明细",
  bearsDelay: true,
  access,
  input: listInput(entryFilters, ["-happenedAt"]),
  output: listOutput(
    z.object({
      id,
      platform: oneOf(entrySource),
      entry: oneOf(entryKind),
      kind: oneOf(goodsKind).nullable(),
      title: z.string(),
      /** The last four of the voucher's number. */
      no: z.string(),
      platformOrderNo: z.string(),
      merchantName: z.string(),
      storeName: z.string().nullable(),
      faceCents: cents,
      payCents: cents,
      merchantTicketCents: cents,
      platformTicketCents: cents,
      /** Of a bill's line: commission and what it pays; of the others what is expected. */
      feeCents: cents,
      incomeCents: cents,
      uneven: z.boolean(),
      byName: z.string(),
      happenedAt: instant,
    }),
  ),
});
