import fc from "fast-check";
import { expect, test } from "vitest";
import { feeBack, feeOf } from "../../../money/server/index.ts";
import { less, PARTS, type Parts, remaindersOf, splitFee, takeBack, type Terms, weightsOf } from "./commission-rules.ts";

const rate = fc.integer({ min: 0, max: 100_000 });
const terms: fc.Arbitrary<Terms> = fc.record({
  merchant_rate: fc.oneof(fc.integer({ min: 0, max: 1_000 }), rate),
  provider_rate: fc.oneof(fc.integer({ min: 0, max: 600 }), rate),
  agent_rate: fc.option(fc.oneof(fc.integer({ min: 0, max: 800 }), rate)),
  agent_ratio: rate,
  group_ratio: rate,
  team_ratio: rate,
  salesman_ratio: rate,
});
const chain = {
  merchant_rate: 380,
  provider_rate: 210,
  agent_rate: null,
  agent_ratio: 0,
  group_ratio: 0,
  team_ratio: 0,
  salesman_ratio: 0,
};
const sum = (parts: Parts): number => PARTS.reduce((total, part) => total + parts[part], 0);

test("the worked examples of decision 0010", () => {
  // 1,000.00 at 0.38 %: fee 3.80, cost 2.10, margin 1.70.
  const fee = feeOf(100_000, 380);
  expect(splitFee(fee, { ...chain, agent_ratio: 40_000 })).toMatchObject({ cost: 210, difference: 0, agent: 68, provider: 102 });
  // The agent's own rate is 0.28 %: the difference of 0.10 % is its own, and 40 % of the 0.07 % between.
  expect(splitFee(fee, { ...chain, agent_rate: 280, agent_ratio: 40_000 })).toMatchObject({
    cost: 210,
    difference: 100,
    agent: 28,
    provider: 42,
  });
  // Group 10 %, team 20 %, salesman 15 % of the margin, beside no agent.
  expect(splitFee(fee, { ...chain, group_ratio: 10_000, team_ratio: 20_000, salesman_ratio: 15_000 })).toMatchObject({
    cost: 210,
    group: 17,
    team: 34,
    // 25.5 and 93.5: of equal remainders the earlier part gets the cent.
    salesman: 26,
    provider: 93,
  });
  // More than the whole: the margin is shared, the provider keeps nothing.
  expect(splitFee(fee, { ...chain, agent_ratio: 80_000, team_ratio: 90_000 })).toMatchObject({
    cost: 210,
    agent: 80,
    team: 90,
    provider: 0,
  });
  // A rate below the cost brings nobody a loss.
  expect(splitFee(20, { ...chain, merchant_rate: 200, agent_ratio: 40_000 })).toMatchObject({ cost: 20, agent: 0, provider: 0 });
});

test("of 10,000 chains each fee is shared to the cent, nobody gets less than nothing, and everybody is within a cent of their part", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), terms, (paid, given) => {
      const fee = feeOf(paid, given.merchant_rate);
      const split = splitFee(fee, given);
      expect(sum(split)).toBe(fee);
      const weights = weightsOf(given);
      const extra = remaindersOf(fee, weights, split);
      for (const part of PARTS) {
        expect(split[part]).toBeGreaterThanOrEqual(0);
        if (given.merchant_rate > 0) expect([0, 1]).toContain(extra[part]);
      }
    }),
    { numRuns: 10_000 },
  );
});

test("refunds in any partition give back exactly what was shared, and no part ever more than it has", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000_000 }),
      terms,
      fc.array(fc.integer({ min: 1, max: 600_000 }), { maxLength: 12 }),
      (paid, given, cuts) => {
        const fee = feeOf(paid, given.merchant_rate);
        let left = splitFee(fee, given);
        let [taken, takenFee] = [0, 0];
        const refunds = [...cuts.filter((cut) => cut < paid), paid];
        for (const asked of refunds) {
          const amount = Math.min(asked, paid - taken);
          if (amount === 0) continue;
          const back = feeBack({ paid_cents: paid, fee_cents: fee, taken_cents: taken, taken_fee_cents: takenFee }, amount);
          const clawed = takeBack(left, back);
          expect(sum(clawed)).toBe(back);
          left = less(left, clawed);
          for (const part of PARTS) {
            expect(clawed[part]).toBeGreaterThanOrEqual(0);
            expect(left[part]).toBeGreaterThanOrEqual(0);
          }
          taken += amount;
          takenFee += back;
        }
        expect(taken).toBe(paid);
        expect(sum(left)).toBe(0);
      },
    ),
    { numRuns: 3_000 },
  );
});
