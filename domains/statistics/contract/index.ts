import { z } from "zod";
import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, day, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";
import { daysBetween } from "@zhangfang/contract/time.ts";
import { channelShare, drill, figures, ranked, span, walletShare } from "./shapes.ts";

export { metric, metricDefinition, metricSql, TAKINGS, VALUE, type Metric, type TakingsMetric, type ValueMetric } from "./measures.ts";
export { against, dimension, dimensionDefinition, dimensionsOf, isTime, type AgainstSpan, type Dimension } from "./dimensions.ts";
export { listMerchantsProfit, profitBy, summariseMerchantsProfit, type Profit } from "./merchants-profit.ts";
export {
  explainPayStatistics,
  getPayStatisticsSeries,
  listPayStatistics,
  seriesStep,
  summarisePayStatistics,
  TAKINGS_ITEMS,
} from "./pay-statistics.ts";
export type { Drill, Figures, Ranked, ReportFigures, Span } from "./shapes.ts";

/** The longest span that one request adds up. */
export const LONGEST_SPAN_DAYS = 400;
const inOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  (from === undefined) === (to === undefined) &&
  (from === undefined || to === undefined || (from <= to && daysBetween(from, to) < LONGEST_SPAN_DAYS));
const spanMessage = { message: `请同时选择开始和结束日期，开始不晚于结束，最多 ${LONGEST_SPAN_DAYS} 天`, path: ["to"] };

/** Today so far against the past, light enough to be asked every 1.5 seconds. */
export const getToday = read({
  path: "/api/statistics/today",
  title: "今日实时",
  access: "/",
  bearsDelay: true,
  rate: "poll",
  input: z.object({}),
  output: z.object({
    /** The moment that the figures stand for; 数据截至. */
    asOf: instant,
    day,
    today: figures,
    /** Yesterday up to the same time of day, and the whole of it. */
    yesterdaySoFar: figures,
    yesterday: figures,
    /** The same weekday of last week up to the same time of day, and the whole of it. */
    lastWeekSoFar: figures,
    lastWeek: figures,
    drill: z.object({ pay: drill, refund: drill }),
  }),
});

/** The home of SP, MCH and AE. Without a span it is yesterday: the last whole day. */
export const getOverview = read({
  path: "/api/statistics/overview",
  title: "概览",
  access: "/",
  bearsDelay: true,
  input: z.object({ from: day.optional(), to: day.optional(), compareDay: day.optional() }).refine(inOrder, spanMessage),
  output: z.object({
    asOf: instant,
    span,
    /** The span's figures, those of as many days just before, and those of the same weekdays before (7 days for one day). */
    current: figures,
    previous: figures,
    previousSpan: span,
    weekAgo: figures,
    weekAgoSpan: span,
    drill: z.object({ pay: drill, refund: drill }),
    /** The 30 days that end with the span, each of them there. */
    line: z.array(z.object({ day, payCount: z.int(), paidCents: cents, refundCents: cents, netCents: cents, drill })),
    /** The 24 hours of the span's last day, and of the day to compare with (the day before, unless asked otherwise). */
    hourly: z.object({
      day,
      compareDay: day,
      hours: z.array(z.object({ hour: z.int(), payCount: z.int(), paidCents: cents, comparePayCount: z.int(), comparePaidCents: cents })),
    }),
    wallets: z.array(walletShare),
    channels: z.array(channelShare),
    /** Merchants for a provider, stores for everybody below; the first ten, and how many took anything. */
    ranking: z.object({ kind: z.enum(["merchant", "store"]), count: z.int(), rows: z.array(ranked) }),
  }),
});

/** 会员与储值 of the home: what was sold beforehand, what of it was used, and who came. Without a span it is yesterday. */
export const getPrepaid = read({
  path: "/api/statistics/prepaid",
  title: "会员与储值",
  access: "/",
  bearsDelay: true,
  input: z.object({ from: day.optional(), to: day.optional() }).refine(inOrder, spanMessage),
  output: z.object({
    span,
    turnoverCents: cents,
    rechargeCents: cents,
    rechargeBackCents: cents,
    cardCents: cents,
    cardBackCents: cents,
    /** Principal that was spent, and the value of times that were used, both less what was given back. */
    consumedCents: cents,
    timesCents: cents,
    /** Principal that is owed at the end of the span. */
    balanceCents: cents,
    membersNew: z.int(),
    membersActive: z.int(),
    drill: z.object({ recharge: drill, consumed: drill, balance: drill, joined: drill, active: drill }),
  }),
});

/** The steps of a trend; a week begins on Monday. */
export const step = labelled({ day: "按日", week: "按周", month: "按月" });
export type Step = CodeOf<typeof step>;
/** What a ranking of the dashboard ranks. */
export const rankingKind = labelled({ provider: "服务商", agent: "代理商", team: "业务团队", merchant: "商户" });
export type RankingKind = CodeOf<typeof rankingKind>;

/** The home of A, AG, GP and TM. Without a span it is the 30 days up to yesterday. */
export const getDashboard = read({
  path: "/api/statistics/dashboard",
  title: "数据看板",
  access: "/",
  bearsDelay: true,
  input: z.object({ from: day.optional(), to: day.optional(), by: oneOf(step).default("day") }).refine(inOrder, spanMessage),
  output: z.object({
    asOf: instant,
    span,
    previousSpan: span,
    by: oneOf(step),
    current: figures,
    previous: figures,
    /** What an agent earns of the fee at its present ratio; null for the other levels. */
    commissionCents: cents.nullable(),
    previousCommissionCents: cents.nullable(),
    drill: z.object({ pay: drill, refund: drill }),
    merchants: z.object({ total: z.int(), new: z.int(), active: z.int(), previousNew: z.int(), previousActive: z.int() }),
    devices: z.object({ online: z.int(), total: z.int() }),
    standing: z.object({ total: drill, new: drill, active: drill, online: drill }),
    /** Each step of the span, whole or cut by its ends; none is left out. */
    trend: z.array(
      z.object({
        from: day,
        to: day,
        payCount: z.int(),
        paidCents: cents,
        refundCents: cents,
        feeCents: cents,
        netCents: cents,
        drill: z.object({ pay: drill, refund: drill }),
      }),
    ),
    /** By the merchant's province, most first; null is unknown. */
    provinces: z.array(
      z.object({ province: z.string().nullable(), payCount: z.int(), paidCents: cents, refundCents: cents, merchants: z.int() }),
    ),
    /** The first ten of each. */
    rankings: z.array(z.object({ kind: oneOf(rankingKind), count: z.int(), rows: z.array(ranked) })),
  }),
});
