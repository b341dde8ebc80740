import { z } from "zod";
import { payChannel, payMethod, payTool, payWallet, payWay } from "../../channels/contract.ts";
import { tradeType } from "../../orders/contract/codes.ts";
import { lackingFilter } from "../../orders/contract/lacking.ts";
import { product } from "../../mall/contract/product.ts";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, day, id, instant, listInput, listOutput, oneOf, scopeFilter, wholeNumber } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { daysBetween } from "@zhangfang/contract/time.ts";
import { against, dimension } from "./dimensions.ts";
import { channelShare, drill, reportFigures, span, walletShare } from "./shapes.ts";

/** The longest span of a report: three years and a day. */
export const LONGEST_REPORT_DAYS = 1097;

/** The one filter of the reports; by the same names the lists of orders and refunds show the rows behind a figure. */
export const takingsFilter = {
  ...scopeFilter,
  from: day,
  to: day,
  channel: oneOf(payChannel).optional(),
  tool: oneOf(payTool).optional(),
  payMethod: oneOf(payMethod).optional(),
  wallet: oneOf(payWallet).optional(),
  way: oneOf(payWay).optional(),
  tradeType: oneOf(tradeType).optional(),
  cashierId: id.optional(),
  deviceId: id.optional(),
  /** In Shanghai; a refund by the moment at which it arrived. */
  hour: wholeNumber(0, 23).optional(),
  /** 1 is Monday. */
  weekday: wholeNumber(1, 7).optional(),
  /** Only these goods of mall orders. */
  product: product.optional(),
  /** Only what belongs to nobody of that kind. */
  lacking: lackingFilter.optional(),
};
/** The filter alone, for whoever only passes it on. */
export const takingsInput = z.object(takingsFilter);
interface Given {
  readonly from: string;
  readonly to: string;
  readonly beforeFrom?: string | undefined;
  readonly beforeTo?: string | undefined;
}
const whole = (from: string, to: string) => from <= to && daysBetween(from, to) < LONGEST_REPORT_DAYS;
const inOrder = ({ from, to, beforeFrom, beforeTo }: Given) =>
  whole(from, to) && (beforeFrom === undefined || beforeTo === undefined || whole(beforeFrom, beforeTo));
const spanMessage = { message: "开始日期不晚于结束日期，最多三年", path: ["to"] };
/** What it is held against; days of one's own choice count only where `against` says so. */
export const comparedWith = { against: oneOf(against).optional(), beforeFrom: day.optional(), beforeTo: day.optional() };
const compared = { ...takingsFilter, ...comparedWith };
/** What two dimensions a table has; one twice is one. */
const grouped = { ...compared, by: oneOf(dimension).default("day"), splitBy: oneOf(dimension).optional() };

/** Whoever holds one of these may see takings. */
export const TAKINGS_ITEMS = ["/dataCentre/payStatistics", "/dataCentre/sales"] as const;

export const takingsRow = reportFigures.extend({
  /** Follows from the keys, so that the same group is the same row on every page. */
  id: z.guid(),
  /** A day (the Monday of a week, the first of a month), an hour, an id or a code; empty where there is none. */
  key: z.string(),
  name: z.string(),
  splitKey: z.string().nullable(),
  splitName: z.string().nullable(),
  /** The same in the span that it is held against. */
  before: reportFigures.nullable(),
  /** The report's filter that shows this row alone. */
  filter: z.record(z.string(), z.string()),
  drill: z.object({ pay: drill, refund: drill }),
});

export const listPayStatistics = read({
  path: "/api/statistics/takings",
  title: "支付统计",
  jumps: false,
  access: TAKINGS_ITEMS,
  bearsDelay: true,
  input: listInput(grouped, [
    "usual",
    "-paidCents",
    "paidCents",
    "-payCount",
    "payCount",
    "-grossCents",
    "grossCents",
    "-discountCents",
    "discountCents",
    "-storedCents",
    "storedCents",
    "-refundCents",
    "refundCents",
    "-feeCents",
    "feeCents",
    "-netCents",
    "netCents",
    "-rechargeCents",
    "rechargeCents",
    "-cardCents",
    "cardCents",
    "-key",
    "key",
  ]).refine(inOrder, spanMessage),
  output: listOutput(takingsRow),
});

/** The totals over the whole filter, whatever it is told apart by. */
export const summarisePayStatistics = read({
  path: "/api/statistics/takings/summary",
  title: "支付统计合计",
  access: TAKINGS_ITEMS,
  bearsDelay: true,
  input: z.object(grouped).refine(inOrder, spanMessage),
  output: z.object({
    asOf: instant,
    span,
    current: reportFigures,
    before: reportFigures.nullable(),
    beforeSpan: span.nullable(),
    drill: z.object({ pay: drill, refund: drill }),
  }),
});

/** How a span is cut for a chart; 168 hours of a week are its heat map. */
export const seriesStep = labelled({ day: "按日", week: "按周", month: "按月", hour: "按时段", weekday: "按星期", heat: "星期 × 时段" });

/** The takings of each step of a span, none left out, oldest first. */
export const getPayStatisticsSeries = read({
  path: "/api/statistics/takings/series",
  title: "支付统计走势",
  access: TAKINGS_ITEMS,
  bearsDelay: true,
  input: z.object({ ...compared, step: oneOf(seriesStep).default("day") }).refine(inOrder, spanMessage),
  output: z.object({
    points: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        current: reportFigures,
        before: reportFigures.nullable(),
        filter: z.record(z.string(), z.string()),
        drill,
      }),
    ),
  }),
});

/** One figure explained: what it is made of, how was paid, and refunds of earlier orders beside their originals. */
export const explainPayStatistics = read({
  path: "/api/statistics/takings/explain",
  title: "支付统计明细",
  access: TAKINGS_ITEMS,
  bearsDelay: true,
  input: z.object(compared).refine(inOrder, spanMessage),
  output: z.object({
    span,
    current: reportFigures,
    before: reportFigures.nullable(),
    beforeSpan: span.nullable(),
    drill: z.object({ pay: drill, refund: drill }),
    wallets: z.array(walletShare),
    channels: z.array(channelShare),
    /** Refunds that arrived in the span for orders paid before it: all of them counted, the largest ten shown. */
    late: z.object({
      count: z.int(),
      refundCents: cents,
      rows: z.array(
        z.object({
          id,
          refundNo: z.string(),
          orderId: id,
          orderNo: z.string(),
          storeName: z.string(),
          paidAt: instant,
          paidCents: cents,
          finishedAt: instant,
          refundCents: cents,
        }),
      ),
    }),
  }),
});
