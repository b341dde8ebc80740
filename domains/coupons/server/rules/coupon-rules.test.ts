import { describe, expect, test } from "vitest";
import { couponTerms, type CouponTerms, sayTerms } from "../../contract/index.ts";
import { CODE, codeStep, couponCode, couponNo, stepOf } from "./number-rules.ts";
import { type Asker, shareOut, type Stock } from "./share-rules.ts";
import { barOf, isOpen, offerOf, placesOf, spanOf, valueOf } from "./term-rules.ts";

const terms = (more: object = {}): CouponTerms =>
  couponTerms.parse({ kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" }, ...more });
/** A moment in Shanghai. */
const at = (text: string) => new Date(`${text.replace(" ", "T")}:00+08:00`).toISOString();

describe("when a coupon is good", () => {
  const FAR = at("2099-01-01 00:00");
  test.each([
    ["seven days from the receipt, the first counted", 0, 7, "day", "2026-03-01 10:00", "2026-03-01 10:00", "2026-03-08 00:00"],
    ["one day is the rest of today", 0, 1, "day", "2026-03-01 23:59", "2026-03-01 23:59", "2026-03-02 00:00"],
    ["from the next day on", 1, 1, "day", "2026-03-01 23:59", "2026-03-02 00:00", "2026-03-03 00:00"],
    ["31 Jan and a month is the end of February", 0, 1, "month", "2026-01-31 08:00", "2026-01-31 08:00", "2026-03-01 00:00"],
    ["and of a leap year its 29th", 0, 1, "month", "2028-01-31 08:00", "2028-01-31 08:00", "2028-03-01 00:00"],
    ["29 Feb and a year is 28 Feb", 0, 1, "year", "2028-02-29 08:00", "2028-02-29 08:00", "2029-03-01 00:00"],
    ["the next day of 31 Jan begins February", 1, 1, "month", "2026-01-31 08:00", "2026-02-01 00:00", "2026-03-02 00:00"],
  ] as const)("%s", (_name, wait, count, unit, received, from, to) => {
    expect(spanOf({ validity: { mode: 3, wait, count, unit } }, at(received), FAR)).toEqual({ from: at(from), to: at(to) });
  });
  test("what counts from the receipt ends with the campaign; a period is the same for everybody, its last day whole", () => {
    const ends = at("2026-03-03 12:00");
    expect(spanOf(terms(), at("2026-03-01 10:00"), ends).to).toBe(ends);
    expect(spanOf({ validity: { mode: 2, from: "2026-03-01", to: "2026-03-31" } }, at("2026-02-01 10:00"), ends)).toEqual({
      from: at("2026-03-01 00:00"),
      to: at("2026-04-01 00:00"),
    });
  });
  // 2026-03-06 is a Friday.
  test.each([
    ["on its weekday", { weekdays: [5] }, "2026-03-06 12:00", true],
    ["not on another", { weekdays: [5] }, "2026-03-07 12:00", false],
    ["not before a window", { windows: [{ from: "11:00", to: "14:00" }] }, "2026-03-06 10:59", false],
    ["over midnight from its first minute", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-06 22:00", true],
    ["not at its end", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-07 02:00", false],
    ["not at noon of the day after", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-07 12:00", false],
    ["Sunday is 0", { weekdays: [0] }, "2026-03-08 00:00", true],
    ["not on an excluded day", { excluded: ["2026-03-06"] }, "2026-03-06 12:00", false],
    ["from a window's first minute", { windows: [{ from: "11:00", to: "14:00" }] }, "2026-03-06 11:00", true],
    ["to before its last", { windows: [{ from: "11:00", to: "14:00" }] }, "2026-03-06 14:00", false],
    [
      "in the second window",
      {
        windows: [
          { from: "11:00", to: "14:00" },
          { from: "17:00", to: "21:00" },
        ],
      },
      "2026-03-06 20:59",
      true,
    ],
    ["over midnight in its evening", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-06 23:30", true],
    ["and past midnight, by the day it began", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-07 01:59", true],
    ["but not that day's own evening", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-07 23:00", false],
    ["nor the morning after the day before", { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] }, "2026-03-06 01:00", false],
    [
      "an excluded evening takes its morning along",
      { excluded: ["2026-03-06"], windows: [{ from: "22:00", to: "02:00" }] },
      "2026-03-07 01:00",
      false,
    ],
  ] as const)("%s", (_name, more, moment, open) => {
    expect(isOpen({ weekdays: [], windows: [], excluded: [], ...more } as never, at(moment))).toBe(open);
  });
  test("where and how else it may not be used", () => {
    const own = terms({ storeIds: ["01a1f71c-7600-7000-8000-000000000001"], methods: ["OFF_LINE"] });
    const using = { at: at("2026-03-06 12:00"), store_id: "01a1f71c-7600-7000-8000-000000000001", method: "OFF_LINE" as const };
    expect(barOf(own, using)).toBeUndefined();
    expect(barOf(own, { ...using, store_id: "01a1f71c-7600-7000-8000-000000000002" })).toBe("store");
    expect(barOf(own, { ...using, method: "MINI_PROGRAMS" })).toBe("method");
    // No store is named: any is good.
    expect(barOf(terms({ methods: ["OFF_LINE"] }), using)).toBeUndefined();
    expect(barOf(terms({ methods: ["OFF_LINE"], weekdays: [0] }), using)).toBe("hours");
  });
});

describe("what it takes off", () => {
  const lines = [
    { place: 1, name: "咖啡", units: 1, unit_cents: 2_800, tags: ["drink"] },
    { place: 2, name: "蛋糕", units: 1, unit_cents: 1_600, goods_no: "CAKE" },
  ];
  test.each([
    ["满减", {}, 2_000, undefined],
    ["折扣", { kind: 2, offCents: null, percent: 88, capCents: 1_500 }, 1_500, undefined],
    ["单品满减", { kind: 3, minCents: 0, offCents: 500, goodsTags: ["drink"] }, 500, [1]],
    ["单品折扣", { kind: 4, offCents: null, percent: 50, capCents: 900, skus: ["CAKE"] }, 900, [2]],
    ["换购", { kind: 5, offCents: null, priceCents: 990, capCents: 3_910, skus: ["CAKE"], goodsTags: ["drink"] }, 3_910, [1, 2]],
  ] as const)("%s is worth its most, of its lines", (_name, more, value, places) => {
    expect(valueOf(terms(more))).toBe(value);
    expect(placesOf(terms(more), lines)).toEqual(places);
  });
  const held = (more: object) => ({
    no: "1",
    name: "券",
    campaign_id: "c",
    version: 2,
    valid_to: "T",
    terms: terms(more),
    provider_percent: 70,
  });
  test.each([
    ["an amount", {}, undefined, { kind: "off", off_cents: 2_000 }, undefined],
    [
      "88 is a discount of 12 %",
      { kind: 2, offCents: null, percent: 88, capCents: 1_500 },
      undefined,
      { kind: "rate", rate: 12_000 },
      1_500,
    ],
    [
      "an amount of its lines",
      { kind: 3, minCents: 0, offCents: 500, goodsTags: ["drink"] },
      [1],
      { kind: "off", off_cents: 500 },
      undefined,
    ],
    [
      "half of two pieces",
      { kind: 4, offCents: null, percent: 50, capCents: 900, skus: ["CAKE"], maxUnits: 2 },
      [2],
      { kind: "units", rate: 50_000, most_units: 2 },
      900,
    ],
    [
      "a line for a price",
      { kind: 5, offCents: null, priceCents: 990, capCents: 3_910, skus: ["CAKE"] },
      [2],
      { kind: "exchange", price_cents: 990 },
      3_910,
    ],
  ] as const)("%s as an offer", (_name, more, places, rule, cap_cents) => {
    const offer = offerOf(held({ ...more, without: ["member"] }), lines);
    expect(offer).toEqual({
      source: "coupon",
      ref: "1",
      name: "券",
      priority: 0,
      ...(places && { places }),
      min_cents: terms(more).minCents,
      rule,
      ...(cap_cents !== undefined && { cap_cents }),
      // Of what comes off, in parts of 100,000.
      provider_rate: 70_000,
      without: ["member"],
      same: "c:2",
      ends: "T",
    });
  });
  test("a line without tags and without a number is in no list", () => {
    const bare = [{ place: 7, name: "茶", units: 1, unit_cents: 500 }];
    expect(placesOf(terms({ kind: 3, minCents: 0, offCents: 500, goodsTags: ["drink"], skus: ["CAKE"] }), bare)).toEqual([]);
  });
  test("the terms are one sentence", () => {
    expect(sayTerms(terms({ weekdays: [1, 2, 3, 4, 5], windows: [{ from: "11:00", to: "14:00" }], without: ["points"] }))).toBe(
      "领取后 7 天内，周一至周五 11:00–14:00，其他优惠算完还满 80 元，可减 20 元，不与积分抵扣同享。",
    );
  });
});

describe("who gets one", () => {
  const stock = (more: Partial<Stock> = {}): Stock => ({
    total: 10,
    issued: 0,
    held: 0,
    per_day: null,
    today: 0,
    per_person: 2,
    per_person_day: null,
    ...more,
  });
  const ask = (person: string, had = 0, had_today = 0, top = had): Asker => ({ person, had, had_today, top });
  test.each([
    [
      "as many as are left, in the order in which they came",
      stock({ issued: 7, held: 1 }),
      ["a", "b", "c"].map((one) => ask(one)),
      [1, 1, "gone"],
    ],
    ["of the day as well", stock({ per_day: 5, today: 4 }), [ask("a"), ask("b")], [1, "day-gone"]],
    ["nobody more than a human may have, in the batch too", stock(), [ask("a", 1), ask("a", 1), ask("b")], [2, "person", 1]],
    ["who asks twice in one batch has two places", stock({ per_person: 5 }), [ask("a", 1), ask("a", 1), ask("a", 1)], [2, 3, 4]],
    [
      "of three that one asks for in a batch the day lets two",
      stock({ per_person: 9, per_person_day: 2 }),
      [ask("a"), ask("a"), ask("a")],
      [1, 2, "person-day"],
    ],
    ["nor more in a day", stock({ per_person_day: 1 }), [ask("a", 1, 1), ask("a", 1, 0)], ["person-day", 2]],
    [
      "of two members of one phone each has a place of its own",
      stock({ per_person: 5 }),
      [ask("a", 2, 0, 0), ask("a", 1, 0, 0), ask("a", 0)],
      [3, 4, 5],
    ],
    ["nobody takes a place beyond what a human may have", stock(), [ask("a", 1, 0, 2)], ["person"]],
    ["one who may have none leaves a place to the next", stock({ issued: 9 }), [ask("a", 2), ask("b")], ["person", 1]],
  ] as const)("%s", (_name, of, askers, answers) => {
    expect(shareOut(of, askers).map((share) => ("nth" in share ? share.nth : share.why))).toEqual(answers);
  });
});

describe("numbers and codes", () => {
  const key = Buffer.alloc(32, 3);
  // Numbers stand on coupons that are out: the way from the sequence to them may never change.
  test.each([
    [0, "7674889393"],
    [1, "0022207645"],
    [123_456_789, "0453553895"],
    [9_999_999_999, "0414489524"],
  ])("the %d. number stays what it is", (n, no) => expect(couponNo(key, n)).toBe(no));
  test("a code is 98, the number and eight digits, filled up with zeros", () => {
    const codes = Array.from({ length: 3_000 }, (_none, step) => couponCode(key, "p1", "0123456789", step));
    expect(codes.every((code) => CODE.test(code))).toBe(true);
    expect(codes.some((code) => code[12] === "0")).toBe(true);
    for (const no of ["980123456789", "x980123456789000000001", "98012345678900000001x", "9801234567890000000a"])
      expect(no).not.toMatch(CODE);
    expect([stepOf(29_999), stepOf(30_000)]).toEqual([0, 1]);
  });
  test("ten digits, none twice in twenty thousand, and another key gives others", () => {
    const all = new Set(Array.from({ length: 20_000 }, (_none, n) => couponNo(key, n)));
    expect(all.size).toBe(20_000);
    expect([...all].every((no) => /^\d{10}$/.test(no))).toBe(true);
    expect(couponNo(Buffer.alloc(32, 4), 1)).not.toBe(couponNo(key, 1));
  });
  test("a code is read in its half minute and the next, by its own provider alone", () => {
    const now = 1_700_000_000_000;
    const code = couponCode(key, "p1", "0123456789", stepOf(now));
    expect(code).toMatch(/^98\d{18}$/);
    expect(codeStep(key, "p1", code, now)).toBe(stepOf(now));
    expect(codeStep(key, "p1", code, now + 30_000)).toBe(stepOf(now));
    expect(codeStep(key, "p1", code, now + 60_000)).toBeUndefined();
    expect(codeStep(key, "p2", code, now)).toBeUndefined();
    expect(codeStep(key, "p1", `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`, now)).toBeUndefined();
  });
});
