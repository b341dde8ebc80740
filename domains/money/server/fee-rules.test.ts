import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { feeBack, feeOf } from "./fee-rules.ts";

describe("feeOf", () => {
  it.each([
    [10_000, 380, 38],
    [100, 380, 0],
    [132, 380, 1],
    [131, 380, 0],
    [125, 400, 1],
    [1, 100_000, 1],
    [999_999_999, 600, 6_000_000],
    [0, 380, 0],
  ])("%i cents at %i parts: %i", (paid, rate, fee) => expect(feeOf(paid, rate)).toBe(fee));
});

describe("feeBack", () => {
  it.each([
    // 100 yuan at 0.6 %, half goes back: 30 cents of 60 (channels.md 3).
    [10_000, 60, 0, 0, 5_000, 30],
    [10_000, 60, 5_000, 30, 5_000, 30],
    // The last part takes what is left, whatever its proportion says.
    [3, 1, 2, 1, 1, 0],
    [3, 1, 0, 0, 3, 1],
    [10_000, 38, 3_333, 13, 6_667, 25],
    // Rounding up three times would give back more than there was.
    [6, 3, 3, 3, 1, 0],
    [10_000, 0, 0, 0, 1, 0],
  ])("paid %i fee %i, taken %i fee %i, refund %i: %i", (paid_cents, fee_cents, taken_cents, taken_fee_cents, amount, fee) =>
    expect(feeBack({ paid_cents, fee_cents, taken_cents, taken_fee_cents }, amount)).toBe(fee),
  );

  it("gives back the whole fee over any way of splitting, and never a negative part", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 0, max: 5_000 }),
        fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 12 }),
        (paid_cents, rate, asked) => {
          const fee_cents = feeOf(paid_cents, rate);
          let taken_cents = 0;
          let taken_fee_cents = 0;
          for (const part of [...asked, paid_cents]) {
            const amount = Math.min(part, paid_cents - taken_cents);
            if (amount === 0) break;
            const back = feeBack({ paid_cents, fee_cents, taken_cents, taken_fee_cents }, amount);
            expect(back).toBeGreaterThanOrEqual(0);
            taken_cents += amount;
            taken_fee_cents += back;
            expect(taken_fee_cents).toBeLessThanOrEqual(fee_cents);
          }
          expect([taken_cents, taken_fee_cents]).toEqual([paid_cents, fee_cents]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
