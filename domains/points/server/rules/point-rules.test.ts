import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PointRule } from "../../contract/index.ts";
import { baseOf, earnedOf, isBirthday, keptOf, multipleOf } from "./earn-rules.ts";
import { expiresOn, nextEnd } from "./expiry-rules.ts";
import { spendOffer } from "./spend-rules.ts";

const earn = (more: Partial<PointRule["earn"]> = {}): PointRule["earn"] => ({
  on: true,
  points: 150,
  perCents: 10_000 as never,
  storeIds: [],
  storeMultiple: 100,
  weekdays: [],
  weekdayMultiple: 100,
  birthdayMultiple: 100,
  pendingDays: 0,
  dayCap: null,
  onRecharge: false,
  ...more,
});
const expiry = (more: Partial<PointRule["expiry"]>): PointRule["expiry"] => ({
  kind: "never",
  months: 12,
  monthDay: "12-31",
  yearsBack: 1,
  ...more,
});

describe("earning", () => {
  test("24,500 at 1.5 a yuan is 367", () => expect(earnedOf(earn(), 24_500, 100, 0)).toBe(367));
  test("switched off earns nothing, and what has no base keeps what it earned", () => {
    expect(earnedOf(earn({ on: false }), 24_500, 100, 0)).toBe(0);
    expect(keptOf(5, 0, 0)).toBe(5);
  });
  test.each([
    [0, 200],
    [50, 150],
    [200, 0],
    [300, 0],
  ])("of %i kept today a cap of 200 leaves %i", (kept, room) => expect(earnedOf(earn({ dayCap: 200 }), 100_000, 100, kept)).toBe(room));
  test.each([
    [0, 5_000, 7_000, false, 12_000],
    [1, 5_000, 0, false, 0],
    [0, 5_000, 7_000, true, 0],
    [1, 5_000, 0, true, 5_000],
    [2, 5_000, 0, true, 0],
  ])("purpose %i with %i and %i, on recharge %s, counts %i", (purpose, money_cents, principal_cents, onRecharge, base) =>
    expect(baseOf(earn({ onRecharge }), { purpose, money_cents, principal_cents })).toBe(base),
  );
  test.each([
    [100, "s", "2026-11-24", null, 100],
    [100, "a", "2026-11-24", null, 150],
    [100, "s", "2026-11-22", null, 200],
    [100, "a", "2026-11-22", "1990-11-22", 300],
    [150, "a", "2026-11-22", "1990-11-22", 450],
    [900, "a", "2026-11-22", "1990-11-22", 1_000],
  ])("level %i at %s on %s born %s: %i percent", (level, store_id, day, birthday, multiple) => {
    const rule = earn({ storeIds: ["a"], storeMultiple: 150, weekdays: [7], weekdayMultiple: 200, birthdayMultiple: 300 });
    expect(multipleOf(rule, { level, store_id, day, birthday })).toBe(multiple);
  });
  test.each([
    ["2000-02-29", "2026-02-28", true],
    ["2000-02-29", "2028-02-28", false],
    ["2000-02-29", "2028-02-29", true],
    ["2000-03-01", "2026-02-28", false],
    ["2000-02-29", "2026-03-01", false],
    [null, "2026-02-28", false],
  ])("born %s, on %s: %s", (birthday, day, is) => expect(isBirthday(birthday, day)).toBe(is));
});

// A slow second way: point by point, cent by cent.
test("earned and kept are what counting by hand comes to, and refunds in any parts take back all at the end", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_000 }),
      fc.integer({ min: 1, max: 200 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 100, max: 1_000 }),
      fc.array(fc.integer({ min: 1, max: 900 }), { maxLength: 6 }),
      (base, per, perCents, multiple, refunds) => {
        const rule = earn({ points: per, perCents: perCents as never });
        const earned = earnedOf(rule, base, multiple, 0);
        let slow = 0;
        while ((slow + 1) * perCents * 100 <= base * per * multiple) slow += 1;
        expect(earned).toBe(slow);
        let left = base;
        let kept = earned;
        for (const refund of [...refunds, base]) {
          left -= Math.min(refund, left);
          const now = keptOf(earned, base, left);
          let count = 0;
          while ((count + 1) * base <= earned * left) count += 1;
          expect(now).toBe(count);
          expect(now).toBeLessThanOrEqual(kept);
          kept = now;
        }
        expect(kept).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});

describe("an end", () => {
  test.each([
    ["never", expiry({}), "2026-05-01", "2026-05-01", null],
    ["a month on", expiry({ kind: "months", months: 1 }), "2026-01-31", "2026-01-31", "2026-02-28"],
    ["an old lot, at least 30 days", expiry({ kind: "months", months: 1 }), "2025-01-31", "2026-11-24", "2026-12-24"],
    ["the year's end after", expiry({ kind: "yearly" }), "2026-05-01", "2026-05-01", "2027-12-31"],
    ["this year's end", expiry({ kind: "yearly", yearsBack: 0 }), "2026-05-01", "2026-05-01", "2026-12-31"],
    ["the day before the list is frozen", expiry({ kind: "yearly", yearsBack: 0 }), "2026-11-30", "2026-11-30", "2026-12-31"],
    ["the day of the list", expiry({ kind: "yearly", yearsBack: 0 }), "2026-12-01", "2026-12-01", "2027-12-31"],
    ["Feb 29 in a common year", expiry({ kind: "yearly", monthDay: "02-29", yearsBack: 1 }), "2026-05-01", "2026-05-01", "2027-02-28"],
  ])("%s", (_name, rule, usable, told, end) => expect(expiresOn(rule, usable, told)).toBe(end));
  test.each([
    ["2026-12-31", "2026-12-31"],
    ["2027-01-01", "2027-12-31"],
    ["2026-01-01", "2026-12-31"],
  ])("of a year next to %s is %s", (today, end) => expect(nextEnd(expiry({ kind: "yearly" }), today)).toBe(end));
});

test.each(["never", "months"] as const)("an end by %s is no day of the year", (kind) =>
  expect(nextEnd(expiry({ kind }), "2026-05-01")).toBe(null),
);
test.each([
  ["02-29", "2028-02-29"],
  ["03-05", "2028-03-05"],
  ["01-01", "2028-01-01"],
])("the year's day %s in 2028 is %s", (monthDay, day) => expect(nextEnd(expiry({ kind: "yearly", monthDay }), "2028-01-01")).toBe(day));
test("a day of the year that is over is the next year's", () =>
  expect(nextEnd(expiry({ kind: "yearly", monthDay: "06-30" }), "2026-07-01")).toBe("2027-06-30"));
test.each([
  // Told later than it is good from: at least thirty days from then, and no less than its months.
  [2, "2026-11-01", "2026-11-24", "2027-01-01"],
  [1, "2026-11-24", "2026-11-24", "2026-12-24"],
  [1, "2026-11-23", "2026-11-24", "2026-12-24"],
])("%i months from %s, told on %s: through %s", (months, usable, told, end) =>
  expect(expiresOn(expiry({ kind: "months", months }), usable, told)).toBe(end),
);

describe("spending", () => {
  const spend: PointRule["spend"] = {
    on: true,
    points: 100,
    cents: 100 as never,
    stepPoints: 50,
    leastPoints: 100,
    mostRate: 50_000,
    mostCents: 2_000 as never,
    storeIds: ["a"],
    weekdays: [2],
  };
  const at = "2026-11-24T04:00:00.000Z";
  test("offers whole steps with the rule's bounds", () =>
    expect(spendOffer({ ...spend, cents: 40 as never }, 730, { store_id: "a", at })).toEqual([
      {
        source: "points",
        ref: "points",
        name: "积分抵扣",
        priority: 0,
        min_cents: 0,
        provider_rate: 0,
        without: [],
        cap_cents: 2_000,
        rule: { kind: "points", balance: 730, least_points: 100, step_points: 50, step_cents: 20, most_rate: 50_000 },
      },
    ]));
  test("without stores, days and a fixed bound it offers anywhere, any day, and says no bound", () => {
    const [offer] = spendOffer({ ...spend, storeIds: [], weekdays: [], mostCents: null }, 730, {
      store_id: "b",
      at: "2026-11-24T16:00:00.000Z",
    });
    expect(offer).toMatchObject({ rule: { balance: 730 } });
    expect(offer).not.toHaveProperty("cap_cents");
  });
  test.each([
    ["another store", spend, 730, "b", at],
    ["another day", spend, 730, "a", "2026-11-24T16:00:00.000Z"],
    ["nothing to spend", spend, 0, "a", at],
    ["switched off", { ...spend, on: false }, 730, "a", at],
  ])("not at %s", (_name, rule, balance, store_id, when) => expect(spendOffer(rule, balance, { store_id, at: when })).toEqual([]));
});
