import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsOf, decimalAdd, decimalMultiply, partBack, proportion, share, splitCents, yuan, percent, rateOf } from "./money.ts";

describe("amounts are held in cents and shown divided by 100 (spec 9)", () => {
  test("always two decimals, thousands, a true minus", () => {
    expect([0, 1, 99, 100, 123456, -6600, 999999999].map(yuan)).toEqual([
      "0.00",
      "0.01",
      "0.99",
      "1.00",
      "1,234.56",
      "−66.00",
      "9,999,999.99",
    ]);
  });
  test("what is shown reads back to the same cents", () => {
    fc.assert(fc.property(fc.integer({ min: -9e12, max: 9e12 }), (cents) => centsOf(yuan(cents)) === cents));
  });
  test("people type amounts in many ways", () => {
    expect([" 12 ", "12.5", "¥1,234.50", "￥8", "-3.2", "−3"].map(centsOf)).toEqual([1200, 1250, 123_450, 800, -320, -300]);
  });
  test("what is not an amount is not guessed", () => {
    for (const text of ["", "1.234", "1e3", "abc", "--1", "1.", ".5", "１２", "0x10", "NaN", "1¥2"]) expect(centsOf(text)).toBeUndefined();
  });
});

describe("rates are parts per 100,000, rounded half up (domain.md, Money)", () => {
  test.each([
    [12900, 380, 49],
    [100, 600, 1],
    [50, 1000, 1],
    [49, 1000, 0],
    [999_999_999, 380, 3_800_000],
    [0, 380, 0],
  ])("fee of %i cents at %i is %i", (cents, rate, fee) => expect(share(cents, rate)).toBe(fee));
  test("a fee goes back in proportion: 100 yuan at 0.6 %, refund 50, fee back 0.30 (channels.md 3)", () =>
    expect(proportion(60, 5000, 10000)).toBe(30));
  test("what goes back is rounded as what came, and of nothing there is no part", () => {
    expect([share(-12_900, 380), share(-50, 1000), proportion(60, 0, 0)]).toEqual([-49, -1, 0]);
  });
  test("parts of a cent or of a rate are refused, however small their product", () => {
    expect(() => share(0.5, 200_000)).toThrow(RangeError);
    expect(() => share(100, 0.5)).toThrow(RangeError);
  });
  test("a proportion never exceeds the whole", () => {
    fc.assert(
      fc.property(
        fc.nat(1e9),
        fc.nat(1e9),
        fc.integer({ min: 1, max: 1e9 }),
        (whole, portion, of) => proportion(whole, Math.min(portion, of), of) <= whole,
      ),
    );
  });
});

describe("what goes back with a refund", () => {
  test.each([
    ["half of it", 60, 0, 5_000, 10_000, 30],
    ["the rest with the last", 60, 30, 5_000, 5_000, 30],
    ["the rest where more goes back than is left", 38, 13, 7_000, 6_667, 25],
    ["the rest where nothing is left", 5, 2, 0, 0, 3],
    ["a half cent up", 3, 0, 1, 6, 1],
    ["in proportion to what is not back yet", 3, 1, 1, 5, 0],
    ["nothing with nothing", 60, 0, 0, 10_000, 0],
    ["nothing that is back already", 60, 60, 1, 2, 0],
    ["never less than nothing", 60, 61, 1, 1, 0],
    [
      "of amounts that no double holds exactly",
      9_007_199_254_740_991,
      0,
      9_007_199_254_740_990,
      9_007_199_254_740_991,
      9_007_199_254_740_990,
    ],
  ])("%s", (_what, whole, back, amount, left, expected) => expect(partBack(whole, back, amount, left)).toBe(expected));

  // Refunds one after another, some of them in flight that come to nothing and set free what they held.
  const refunds = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 1e9 }), fails: fc.boolean() }), { maxLength: 40 });
  test("any cut of refunds gives back the same in the end, and none more than is left", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), fc.nat(1e9), refunds, (base, some, cut) => {
        const whole = Math.min(some, base);
        let [taken, back] = [0, 0];
        for (const { amount: asked, fails } of [...cut, { amount: base, fails: false }]) {
          const left = base - taken;
          const amount = Math.min(asked, left);
          const part = partBack(whole, back, amount, left);
          expect(part).toBeGreaterThanOrEqual(0);
          // What hangs on money is never more than the money, before and after.
          expect(part).toBeLessThanOrEqual(amount);
          expect(whole - back - part).toBeLessThanOrEqual(left - amount);
          if (!fails) [taken, back] = [taken + amount, back + part];
        }
        expect([taken, back]).toEqual([base, whole]);
      }),
    );
  });
  test("several in flight at once hold no cent twice, whichever of them fails", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), refunds, (base, whole, cut) => {
        const held: { amount: number; part: number; fails: boolean }[] = [];
        const sum = (pick: (one: (typeof held)[number]) => number) => held.reduce((all, one) => all + pick(one), 0);
        for (const { amount: asked, fails } of cut) {
          const left = base - sum((one) => one.amount);
          const amount = Math.min(asked, left);
          held.push({
            amount,
            part: partBack(
              whole,
              sum((one) => one.part),
              amount,
              left,
            ),
            fails,
          });
          expect(sum((one) => one.part)).toBeLessThanOrEqual(whole);
        }
        held.splice(0, held.length, ...held.filter(({ fails }) => !fails));
        const left = base - sum((one) => one.amount);
        expect(
          sum((one) => one.part) +
            partBack(
              whole,
              sum((one) => one.part),
              left,
              left,
            ),
        ).toBe(whole);
      }),
    );
  });
});

describe("an amount is split by largest remainder", () => {
  const weights = fc.array(fc.nat(1e6), { minLength: 1, maxLength: 60 });
  const total = fc.integer({ min: 0, max: 1e13 });
  const someone = fc.tuple(total, weights).filter(([, parts]) => parts.some((weight) => weight > 0));
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [1, [1, 1], [1, 0]],
    [101, [1, 0, 2], [34, 0, 67]],
    [10, [1, 2, 4], [1, 3, 6]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [0, [0, 0], [0, 0]],
    [0, [], []],
  ])("%i by %j is %j", (cents, parts, expected) => expect(splitCents(cents, parts)).toEqual(expected));
  test("the parts add up to the whole, none is negative, and each is within a cent of its portion", () => {
    fc.assert(
      fc.property(someone, ([cents, given]) => {
        const parts = splitCents(cents, given);
        const all = given.reduce((sum, weight) => sum + weight, 0);
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cents);
        parts.forEach((part, at) => {
          const floor = Number((BigInt(cents) * BigInt(given[at] ?? 0)) / BigInt(all));
          expect([floor, floor + 1]).toContain(part);
          if (given[at] === 0) expect(part).toBe(0);
        });
      }),
    );
  });
  test("who has more gets no less, and of equals the earlier one", () => {
    fc.assert(
      fc.property(someone, ([cents, given]) => {
        const parts = splitCents(cents, given);
        given.forEach((weight, at) =>
          given.forEach((other, next) => {
            if (weight > other || (weight === other && at < next)) expect(parts[at]).toBeGreaterThanOrEqual(parts[next] ?? 0);
          }),
        );
      }),
    );
  });
  test("the same split is taken back as was given", () => {
    fc.assert(
      fc.property(someone, ([cents, given]) => {
        expect(splitCents(-cents, given)).toEqual(splitCents(cents, given).map((part) => -part || 0));
      }),
    );
  });
  test("nobody, less than nobody and half of somebody are not split among", () => {
    expect(() => splitCents(1, [])).toThrow(RangeError);
    expect(() => splitCents(1, [0, 0])).toThrow(RangeError);
    expect(() => splitCents(1, [2, -1])).toThrow(RangeError);
    expect(() => splitCents(1, [0.5, 0.5])).toThrow(RangeError);
  });
});

describe("exact decimal add and multiply (spec 9)", () => {
  test("0.1 + 0.2 is 0.3 and 19.9 × 100 is 1990", () => {
    expect(decimalAdd("0.1", "0.2")).toBe("0.3");
    expect(decimalMultiply(19.9, 100)).toBe("1990");
    expect(decimalMultiply("-0.07", "100")).toBe("-7");
    expect([decimalMultiply("0.5", "0.25"), decimalMultiply("1.005", "1.1"), decimalAdd("-0.1", "0.1")]).toEqual(["0.125", "1.1055", "0"]);
  });
  test("what is no plain decimal is not calculated with", () => {
    for (const text of ["1e3", "x1", "1x", "", "1.", "--1"]) expect(() => decimalAdd(text, "1"), text).toThrow("not a plain decimal");
  });
  test("agrees with whole-number arithmetic", () => {
    const decimal = fc.integer({ min: -1e6, max: 1e6 });
    fc.assert(fc.property(decimal, decimal, (a, b) => Number(decimalAdd(a / 100, b / 100)) === Number(((a + b) / 100).toFixed(2))));
  });
});

test("a rate is typed and read in percent, to the thousandth, and never rounded", () => {
  expect([0, 1, 380, 600, 12_345, 100_000].map(percent)).toEqual(["0%", "0.001%", "0.38%", "0.6%", "12.345%", "100%"]);
  for (const rate of [0, 1, 380, 99_999, 100_000]) expect(rateOf(percent(rate))).toBe(rate);
  expect([" 0.38 ", "0.38"].map(rateOf)).toEqual([380, 380]);
  expect(["", "-1", "100.001", "1000", "0.0001", "１", "1e2", "."].map(rateOf)).toEqual(Array(8).fill(undefined));
});
