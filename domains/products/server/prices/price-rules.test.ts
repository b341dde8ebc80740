import { expect, test } from "vitest";
import { isFar } from "../../contract/index.ts";
import { firstAbove, nextPriceOf, priceOf, levelsAt, type Change, type Levels } from "./price-rules.ts";

const NOW = Date.parse("2026-11-24T10:00:00Z");
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
const levels = (
  price: number,
  member: number | null = null,
  storePrice: number | null = null,
  storeMember: number | null = null,
): Levels => ({
  merchant: { price_cents: price, member_cents: member },
  store: { price_cents: storePrice, member_cents: storeMember },
});
const change = (store: boolean, kind: "price" | "member", cents: number | null, minutes: number): Change => ({
  store,
  kind,
  cents,
  from_at: at(minutes),
});

test.each<[string, Levels, number, number | null]>([
  ["the merchant's", levels(1000, 900), 1000, 900],
  ["the store's own price before the merchant's", levels(1000, 900, 1200), 1200, 900],
  ["a member never pays more than anybody", levels(1000, 900, 800), 800, 800],
  ["the store's own member price", levels(1000, 900, 800, 700), 800, 700],
  ["no member price", levels(1000), 1000, null],
])("what is paid at a store: %s", (_what, given, price, member) => {
  expect(priceOf(given)).toEqual({ price_cents: price, member_cents: member });
});

test("a change holds from its very moment, the latest wins, and a store's goes back to the merchant's with nothing", () => {
  const ahead = [
    change(false, "price", 1100, 10),
    change(false, "price", 1200, 20),
    change(true, "price", 500, 5),
    change(true, "price", null, 15),
  ];
  const paid = (minutes: number) => priceOf(levelsAt(levels(1000), ahead, NOW + minutes * 60_000)).price_cents;
  expect([0, 5, 10, 15, 20].map(paid)).toEqual([1000, 500, 500, 1100, 1200]);
  expect(priceOf(levelsAt(levels(1000), ahead, NOW + 10 * 60_000 - 1)).price_cents).toBe(500);
});

test("a till learns the next price that is another one, and none beyond its time", () => {
  const ahead = [change(false, "price", 1200, 60), change(false, "price", 1000, 30)];
  expect(nextPriceOf(levels(1000), ahead, NOW, NOW + 3_600_000)).toEqual({ price_cents: 1200, member_cents: null, from_at: at(60) });
  expect(nextPriceOf(levels(1000), ahead, NOW, NOW + 3_599_999)).toBeNull();
  // A store with a price of its own hears nothing of the merchant's.
  expect(nextPriceOf(levels(1000, null, 900), ahead, NOW, NOW + 7_200_000)).toBeNull();
});

test("a member price above the price of its level is found at the moment at which it would be", () => {
  expect(firstAbove(levels(1000, 900), [change(false, "price", 800, 30)], false, NOW)).toBe(NOW + 30 * 60_000);
  expect(firstAbove(levels(1000, 900), [change(false, "price", 800, 30), change(false, "member", 700, 30)], false, NOW)).toBeUndefined();
  expect(firstAbove(levels(1000, 1000), [], false, NOW)).toBeUndefined();
  expect(firstAbove(levels(1000, 900, 500), [], true, NOW)).toBeUndefined();
  expect(firstAbove(levels(1000, 900, 500, 600), [], true, NOW)).toBe(NOW);
});

test.each([
  [1000, 1500, false],
  [1000, 1501, true],
  [1000, 500, false],
  [1000, 499, true],
  [0, 1, true],
  [0, 0, false],
])("from %i to %i is far: %s", (before, after, far) => {
  expect(isFar(before, after)).toBe(far);
});
