import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { centsOf, decimalAdd, decimalMultiply, proportion, share, yuan, percent, rateOf } from "./money.ts";

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
  test("what is not an amount is not guessed", () => {
    for (const text of ["", "1.234", "1e3", "abc", "--1", "1.", ".5", "１２", "0x10", "NaN"]) expect(centsOf(text)).toBeUndefined();
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

describe("exact decimal add and multiply (spec 9)", () => {
  test("0.1 + 0.2 is 0.3 and 19.9 × 100 is 1990", () => {
    expect(decimalAdd("0.1", "0.2")).toBe("0.3");
    expect(decimalMultiply(19.9, 100)).toBe("1990");
    expect(decimalMultiply("-0.07", "100")).toBe("-7");
  });
  test("agrees with whole-number arithmetic", () => {
    const decimal = fc.integer({ min: -1e6, max: 1e6 });
    fc.assert(fc.property(decimal, decimal, (a, b) => Number(decimalAdd(a / 100, b / 100)) === Number(((a + b) / 100).toFixed(2))));
  });
});

test("a rate is typed and read in percent, to the thousandth, and never rounded", () => {
  expect([0, 1, 380, 600, 12_345, 100_000].map(percent)).toEqual(["0%", "0.001%", "0.38%", "0.6%", "12.345%", "100%"]);
  for (const rate of [0, 1, 380, 99_999, 100_000]) expect(rateOf(percent(rate))).toBe(rate);
  expect(["", "-1", "100.001", "1000", "0.0001", "１", "1e2", "."].map(rateOf)).toEqual(Array(8).fill(undefined));
});
