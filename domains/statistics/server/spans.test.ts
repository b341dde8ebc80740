import { expect, test } from "vitest";
import { addDays } from "@zhangfang/contract/time.ts";
import { metric, metricDefinition } from "../contract/index.ts";
import { figuresOf, netOf, rateOf, type Sums } from "./takings/figures.ts";
import { channelName } from "../../channels/contract.ts";
import { channelShares, walletShares } from "./shares.ts";
import { payDrill } from "./drills.ts";
import { daysOf, mondayOf, previousSpan, stepsOf, stretchesOf, weekAgoSpan, yearAgoSpan } from "./spans.ts";

const SUMS: Sums = {
  pay_count: 3,
  gross_cents: 1200,
  discount_cents: 200,
  paid_cents: 1000,
  fee_cents: 4,
  refund_count: 1,
  refund_cents: 300,
  refund_fee_cents: 1,
  recharge_cents: 100,
  recharge_back_cents: 40,
  times_cents: 30,
  times_back_cents: 20,
  level_cents: 5,
  level_back_cents: 2,
};

test("the span before has as many days, the one of weeks ago the same weekdays", () => {
  expect(previousSpan({ from: "2026-03-01", to: "2026-03-31" })).toEqual({ from: "2026-01-29", to: "2026-02-28" });
  expect(weekAgoSpan({ from: "2026-11-19", to: "2026-11-19" })).toEqual({ from: "2026-11-12", to: "2026-11-12" });
  expect(weekAgoSpan({ from: "2026-11-01", to: "2026-11-08" })).toEqual({ from: "2026-10-18", to: "2026-10-25" });
  expect(daysOf({ from: "2024-02-28", to: "2024-03-01" })).toEqual(["2024-02-28", "2024-02-29", "2024-03-01"]);
});

test("weeks begin on Monday, months have their own lengths, and the span cuts both", () => {
  expect(stepsOf({ from: "2026-11-18", to: "2026-11-30" }, "week")).toEqual([
    { from: "2026-11-18", to: "2026-11-22" },
    { from: "2026-11-23", to: "2026-11-29" },
    { from: "2026-11-30", to: "2026-11-30" },
  ]);
  expect(stepsOf({ from: "2023-12-31", to: "2024-03-01" }, "month")).toEqual([
    { from: "2023-12-31", to: "2023-12-31" },
    { from: "2024-01-01", to: "2024-01-31" },
    { from: "2024-02-01", to: "2024-02-29" },
    { from: "2024-03-01", to: "2024-03-01" },
  ]);
});

test("the average is rounded half up to the cent and nothing has none; the net is what is left", () => {
  expect(figuresOf(SUMS)).toMatchObject({ averageCents: 333, netCents: 697 });
  expect(figuresOf({ ...SUMS, pay_count: 8, paid_cents: 100 }).averageCents).toBe(13);
  expect(figuresOf({ ...SUMS, pay_count: 0, paid_cents: 0 }).averageCents).toBe(null);
  expect(netOf({ paid_cents: 0, refund_cents: 500, fee_cents: 0, refund_fee_cents: 2 })).toBe(-498);
  expect([rateOf(1, 3), rateOf(0, 0)]).toEqual([33_333, 0]);
});

test("shares are by wallet and by channel, the direct ones apart, most first, and lead to their payments", () => {
  const rows = [
    { ...SUMS, channel: 0, wallet: "wechat" as const },
    { ...SUMS, channel: 1, wallet: "wechat" as const, paid_cents: 500 },
    { ...SUMS, channel: 0, wallet: "alipay" as const, paid_cents: 2500 },
  ];
  const open = (own: Readonly<Record<string, string>>) => payDrill({ from: "2026-11-19", to: "2026-11-19" }, own);
  expect(walletShares(rows, open).map(({ wallet, paidCents, rate, drill }) => [wallet, paidCents, rate, drill.query["wallet"]])).toEqual([
    ["alipay", 2500, 62_500, "alipay"],
    ["wechat", 1500, 37_500, "wechat"],
  ]);
  expect(
    channelShares(rows, open).map(({ channel, wallet, rate, drill }) => [
      channelName(channel, wallet),
      rate,
      drill.query["channel"],
      drill.query["wallet"],
    ]),
  ).toEqual([
    ["支付宝", 62_500, "0", "alipay"],
    ["微信支付", 25_000, "0", "wechat"],
    ["富友", 12_500, "1", undefined],
  ]);
});

test("every figure has its definition", () => {
  for (const key of metric.values) expect(metricDefinition[key].length).toBeGreaterThan(5);
});

test("the year before has the same days of the calendar, as many of them; a 29th of February is the 28th", () => {
  expect(yearAgoSpan({ from: "2026-11-10", to: "2026-11-12" })).toEqual({ from: "2025-11-10", to: "2025-11-12" });
  expect(yearAgoSpan({ from: "2028-02-29", to: "2028-03-01" })).toEqual({ from: "2027-02-28", to: "2027-03-01" });
  expect(yearAgoSpan({ from: "2028-02-20", to: "2028-03-10" })).toEqual({ from: "2027-02-20", to: "2027-03-11" });
});

test("a week's Monday, also for a Sunday and over the end of a year", () => {
  expect(["2026-11-16", "2026-11-22", "2027-01-01"].map(mondayOf)).toEqual(["2026-11-16", "2026-11-16", "2026-12-28"]);
});

test("a span is whole months and single days, days beyond it taken away again, each of its own days once", () => {
  const one = (unit: "month" | "day", from: string, to: string, sign: 1 | -1 = 1) => ({ unit, span: { from, to }, sign });
  expect(stretchesOf({ from: "2026-02-01", to: "2026-02-28" })).toEqual([one("month", "2026-02-01", "2026-02-01")]);
  expect(stretchesOf({ from: "2026-02-10", to: "2026-02-12" })).toEqual([one("day", "2026-02-10", "2026-02-12")]);
  expect(stretchesOf({ from: "2026-02-02", to: "2026-03-30" })).toEqual([
    one("month", "2026-02-01", "2026-03-01"),
    one("day", "2026-02-01", "2026-02-01", -1),
    one("day", "2026-03-31", "2026-03-31", -1),
  ]);
  expect(stretchesOf({ from: "2025-11-21", to: "2026-02-01" })).toEqual([
    one("month", "2025-12-01", "2026-01-01"),
    one("day", "2025-11-21", "2025-11-30"),
    one("day", "2026-02-01", "2026-02-01"),
  ]);
  for (let from = "2026-01-01"; from < "2026-03-05"; from = addDays(from, 1))
    for (let to = from; to < "2026-05-03"; to = addDays(to, 5)) {
      const times = new Map<string, number>();
      for (const { unit, span, sign } of stretchesOf({ from, to }))
        for (const day of daysOf(unit === "day" ? span : { from: span.from, to: endOfMonth(span.to) }))
          times.set(day, (times.get(day) ?? 0) + sign);
      expect(
        [...times]
          .filter(([, n]) => n !== 0)
          .map(([day, n]) => `${day} ${n}`)
          .toSorted(),
      ).toEqual(daysOf({ from, to }).map((day) => `${day} 1`));
    }
});
const endOfMonth = (day: string) => stepsOf({ from: day, to: addDays(day, 31) }, "month")[0]!.to;
