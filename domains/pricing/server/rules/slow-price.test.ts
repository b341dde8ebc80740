import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOrder } from "../testing/any-order.ts";
import { slowBest, slowPrice, SlowRefunds } from "../testing/slow-price.ts";
import { back, type Ask, type Back, type Given, NOTHING_GIVEN } from "./back.ts";
import { best } from "./best.ts";
import type { Facts } from "./facts.ts";
import { price } from "./price.ts";

const ORDERS = 20_000;
const BESTS = process.env["MODEL_RUNS"] ? 20_000 : 1_000;
const asks: fc.Arbitrary<readonly Ask[]> = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 12_000 }).map((cents): Ask => ({ cents })),
    fc.dictionary(fc.constantFrom("1", "2", "3", "4"), fc.integer({ min: 0, max: 3 })).map((units): Ask => ({ units })),
  ),
  { maxLength: 4 },
);
const together = (a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>) => {
  const all: Record<string, number> = { ...a };
  for (const [key, n] of Object.entries(b)) all[key] = (all[key] ?? 0) + n;
  return all;
};
const plus = (before: Given, more: Back): Given => ({
  value_cents: before.value_cents + more.value_cents,
  amount_cents: before.amount_cents + more.amount_cents,
  money_cents: before.money_cents + more.money_cents,
  principal_cents: before.principal_cents + more.principal_cents,
  gift_cents: before.gift_cents + more.gift_cents,
  points: together(before.points, more.points),
  units: together(before.units, more.units),
  provider: together(before.provider, more.provider),
});

test("twenty thousand orders and their refunds come to the same cents by a second, slow reckoning", () => {
  let refunds = 0;
  let parts = 0;
  const sources = new Set<string>();
  fc.assert(
    fc.property(anyOrder, asks, ({ facts, wish }, pieces) => {
      const fast = price(facts, wish);
      const slow = slowPrice(facts, wish);
      expect({
        parts: fast.parts.map(({ ref, off_cents, provider_cents, points, gift_cents, lines }) => ({
          ref,
          off: off_cents,
          provider: provider_cents,
          points,
          gift: gift_cents,
          lines,
        })),
        nets: fast.nets,
        money: fast.money_cents,
        principal: fast.principal_cents,
        gift: fast.gift_cents,
      }).toEqual(slow);
      parts += fast.parts.length;
      for (const { source } of fast.parts) sources.add(source);
      const slowly = new SlowRefunds(facts.lines, slow);
      let given = NOTHING_GIVEN;
      for (const ask of pieces) {
        const quick = back(facts.lines, fast, given, ask);
        const other = slowly.next(ask);
        expect(
          quick && {
            value: quick.value_cents,
            money: quick.money_cents,
            principal: quick.principal_cents,
            gift: quick.gift_cents,
            points: quick.points,
            provider: quick.provider,
          },
        ).toEqual(other);
        if (!quick) continue;
        refunds++;
        given = plus(given, quick);
      }
    }),
    { numRuns: ORDERS, seed: 20_261_124 },
  );
  process.stdout.write(`slow price: ${ORDERS} orders with ${parts} parts, ${refunds} refunds\n`);
  expect([...sources].toSorted()).toEqual(["auto", "coupon", "manual", "member", "points", "stored", "voucher"]);
  expect([parts > ORDERS, refunds > ORDERS / 2]).toEqual([true, true]);
});

test("the best price is the least of every set of coupons that there is", () => {
  const couponsOf = ({ facts }: { facts: Facts }) => facts.offers.filter(({ source }) => source === "coupon").length;
  fc.assert(
    fc.property(
      anyOrder.filter((one) => couponsOf(one) > 1),
      ({ facts, wish: { chosen, ...rest } }) => {
        // What applies by itself is wished, not chosen.
        const kinds = ["coupon", "manual", "voucher"];
        const wish = { ...rest, chosen: chosen.filter((ref) => kinds.includes(facts.offers.find((one) => one.ref === ref)?.source ?? "")) };
        const found = best(facts, wish);
        expect([found.whole, found.priced.value_cents]).toEqual([true, slowBest(facts, wish)]);
      },
    ),
    { numRuns: BESTS, seed: 20_261_127 },
  );
});
