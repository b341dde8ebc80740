import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { daysBetween } from "@zhangfang/contract/time.ts";
import { type AgainstSpan, type Dimension, dimensionsOf, type Drill, type Span } from "../../contract/index.ts";
import { goodsDrills, payDrill, refundDrill } from "../drills.ts";
import { previousSpan, weekAgoSpan, yearAgoSpan } from "../spans.ts";
import { filterOf } from "./dimensions.ts";
import type { Question } from "./groups.ts";
import type { TakingsFilter } from "./source.ts";

type Asked = TakingsFilter & {
  readonly against?: AgainstSpan | undefined;
  readonly beforeFrom?: string | undefined;
  readonly beforeTo?: string | undefined;
  readonly by?: Dimension | undefined;
  readonly splitBy?: Dimension | undefined;
};

/** A call's input as a question. @throws 403 for a dimension that this level may not tell apart */
export function questionOf(scope: Ctx["scope"], { against, beforeFrom, beforeTo, by, splitBy, ...filter }: Asked): Question {
  const dimensions = [by, splitBy === by ? undefined : splitBy].filter((one) => one !== undefined);
  const allowed = dimensionsOf(scope.level);
  if (filter.product !== undefined && !allowed.includes("product")) throw forbidden();
  if (!dimensions.every((one) => allowed.includes(one))) throw forbidden();
  const span: Span = { from: filter.from, to: filter.to };
  const chosen = beforeFrom !== undefined && beforeTo !== undefined ? { from: beforeFrom, to: beforeTo } : undefined;
  const before = against === "chosen" ? chosen : against && BEFORE[against](span);
  return { scope, filter, by: dimensions, span, before: before && { span: before, shift_days: daysBetween(before.from, span.from) } };
}
const BEFORE: Readonly<Record<Exclude<AgainstSpan, "chosen">, (span: Span) => Span>> = {
  previous: previousSpan,
  week: weekAgoSpan,
  year: yearAgoSpan,
};

/** The way to the rows of a whole question; that of goods goes to what was sold of any. */
export const wholeDrills = ({ filter, by }: Question) => drillsOf({ ...(by.includes("product") && { product: "all" }), ...words(filter) });
/** A filter as it stands in an address. */
export function words(filter: TakingsFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
/** The filter that shows some keys alone: of the report, and of the lists of orders and refunds. */
export function narrowTo({ filter, span }: Question, keys: readonly (readonly [Dimension, string])[]) {
  const narrow: Record<string, string> = words(filter);
  for (const [by, key] of keys) {
    const own = filterOf(by, key, span);
    const lacking = [narrow["lacking"], own["lacking"]].filter(Boolean).join(",");
    Object.assign(narrow, own, lacking !== "" && { lacking });
  }
  return narrow;
}
export function drillsOf({ from = "", to = "", ...more }: Readonly<Record<string, string>>): { pay: Drill; refund: Drill } {
  if (more["product"] !== undefined) return goodsDrills({ from, to }, more);
  return { pay: payDrill({ from, to }, more), refund: refundDrill({ from, to }, more) };
}
