import type { InputOf, OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents, Instant } from "@zhangfang/contract/fields.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import type { Figures, getOverview } from "../contract/index.ts";
import type { Today } from "./overview/use-today.ts";

/** Figures of a span in which so many payments took so much. */
export const figuresOf = (payCount: number, paid_cents: number): Figures => ({
  payCount,
  grossCents: paid_cents as Cents,
  discountCents: 0 as Cents,
  storedCents: 0 as Cents,
  paidCents: paid_cents as Cents,
  averageCents: (payCount === 0 ? null : Math.round(paid_cents / payCount)) as Cents | null,
  refundCount: 0,
  refundCents: 0 as Cents,
  effectiveCents: paid_cents as Cents,
  feeCents: 0 as Cents,
  refundFeeCents: 0 as Cents,
  netCents: paid_cents as Cents,
  rechargeCents: 0 as Cents,
  rechargeBackCents: 0 as Cents,
  cardCents: 0 as Cents,
  cardBackCents: 0 as Cents,
});
const drill = {
  pay: { path: "/dataCentre/payOrder", query: { dateOf: "paid", from: "2026-11-19", to: "2026-11-19" } },
  refund: { path: "/dataCentre/payRefund", query: { status: "2" } },
};
const none = figuresOf(0, 0);

/** What the server says of today at 10:00. */
export const todayOf = (payCount: number, paid_cents: number): Today => ({
  asOf: "2026-11-20T02:00:00Z" as Instant,
  day: "2026-11-20",
  today: figuresOf(payCount, paid_cents),
  yesterdaySoFar: figuresOf(1, 10_000),
  yesterday: figuresOf(1, 10_000),
  lastWeekSoFar: none,
  lastWeek: none,
  drill,
});

/** What the server says of a merchant whom nobody has ever paid. */
export const newMerchant = ({ from = "2026-11-19", to = "2026-11-19" }: InputOf<typeof getOverview>): OutputOf<typeof getOverview> => ({
  asOf: "2026-11-20T02:00:00Z" as Instant,
  span: { from, to },
  current: none,
  previous: none,
  previousSpan: { from, to },
  weekAgo: none,
  weekAgoSpan: { from, to },
  drill,
  line: Array.from({ length: 30 }, (_day, index) => ({
    day: addDays(to, index - 29),
    payCount: 0,
    paidCents: 0 as Cents,
    refundCents: 0 as Cents,
    netCents: 0 as Cents,
    drill: drill.pay,
  })),
  hourly: { day: to, compareDay: addDays(to, -7), hours: [] },
  wallets: [],
  channels: [],
  ranking: { kind: "store", count: 0, rows: [] },
});
