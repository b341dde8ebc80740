import { read } from "@zhangfang/contract/endpoint.ts";
import { day, id, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

export const summaryBy = labelled({ day: "按日", store: "按门店", reason: "按原因" });
export const MOST_SUMMARY_DAYS = 92;
const figures = z.object({
  /** Earned and brought along; taken back; spent; given back; cleared at their end; by hand, either way. */
  issued: z.int(),
  clawed: z.int(),
  used: z.int(),
  back: z.int(),
  cleared: z.int(),
  adjusted: z.int(),
  /** What they come to: how outstanding points changed. */
  net: z.int(),
});
/** 积分汇总: what moved in some days, and what is outstanding now, by the book. */
export const summarisePoints = read({
  path: "/api/points/summary",
  title: "积分汇总",
  access: "/dataCentre/points",
  bearsDelay: true,
  input: z
    .object({ from: day, to: day, by: oneOf(summaryBy).default("day"), merchantId: id.optional(), storeId: id.optional() })
    .refine(({ from, to }) => from <= to, { path: ["to"], message: "结束日期不能早于开始日期" })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MOST_SUMMARY_DAYS * 86_400_000, {
      path: ["to"],
      message: `最多查询 ${MOST_SUMMARY_DAYS} 天`,
    }),
  output: z.object({
    total: figures,
    rows: z.array(figures.extend({ id: z.string(), name: z.string() })),
    /** Of whole merchants only: a store holds no points. */
    outstanding: z.object({ usable: z.int(), pending: z.int(), held: z.int(), owed: z.int(), total: z.int() }).nullable(),
  }),
});
