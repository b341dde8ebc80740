import { implement } from "@zhangfang/server/calls/call.ts";
import { summarisePayStatistics } from "../../contract/index.ts";
import { questionOf, wholeDrills } from "./ask.ts";
import { totalOf } from "./groups.ts";

/** 支付统计合计: over the whole filter, and over the span that it is held against. */
export const summarisePayStatisticsRoute = implement(summarisePayStatistics, async (ctx, asked) => {
  const question = questionOf(ctx.scope, asked);
  return {
    asOf: ctx.now,
    span: question.span,
    ...(await totalOf(ctx.tx, question)),
    beforeSpan: question.before?.span ?? null,
    drill: wholeDrills(question),
  };
});
