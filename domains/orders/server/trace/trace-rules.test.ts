import { describe, expect, it } from "vitest";
import { feeBackRounding, feeRounding, line, roundingOf, some, sumOf } from "./trace-rules.ts";

describe("how an exact share came to whole cents", () => {
  it.each<[string, bigint, bigint, number, string | null]>([
    ["down", 9_000n * 380n, 100_000n, 34, "0.3420 取整为 0.34，尾差 −0.0020"],
    ["up", 12_900n * 388n, 100_000n, 50, "0.5005 取整为 0.50，尾差 −0.0005"],
    ["up by most of a cent", 99n, 100n, 1, "0.0099 取整为 0.01，尾差 +0.0001"],
    ["to the cent", 10_000n * 380n, 100_000n, 38, null],
    ["a negative one", -9_000n * 380n, 100_000n, -34, "−0.3420 取整为 −0.34，尾差 +0.0020"],
    ["with yuan before it", 1_234_567n * 380n, 100_000n, 4_691, "46.9135 取整为 46.91，尾差 −0.0035"],
  ])("%s", (_what, numerator, denominator, cents, said) => expect(roundingOf(numerator, denominator, cents)).toBe(said));
});
it("the fee says what it was of, and a refund's part of it too", () => {
  expect(feeRounding(9_000, 380, 34)).toEqual({ note: "90.00 × 0.38%", rounding: "0.3420 取整为 0.34，尾差 −0.0020" });
  expect(feeBackRounding({ fee_cents: 38, paid_cents: 10_000 }, { amount_cents: 3_333, fee_cents: 13 })).toBe(
    "0.1266 取整为 0.13，尾差 +0.0033",
  );
  expect(feeBackRounding({ fee_cents: 0, paid_cents: 0 }, { amount_cents: 0, fee_cents: 0 })).toBeNull();
});
it("a line says no more than it was given, and one of nothing is none", () => {
  expect(line({ label: "实付" })).toEqual({ label: "实付", note: null, amountCents: null, rounding: null, at: null });
  expect([some({ label: "券", amountCents: 0 }), some({ label: "券" })]).toEqual([[], []]);
  const [one] = some({ label: "券", amountCents: 500, note: "满减" });
  expect(one).toMatchObject({ label: "券", amountCents: 500, note: "满减" });
  expect(sumOf([line({ label: "a", amountCents: 7 }), line({ label: "b" }), line({ label: "c", amountCents: -2 })])).toBe(5);
});
