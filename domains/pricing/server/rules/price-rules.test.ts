import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { back, type Ask, NOTHING_GIVEN, type Given } from "./back.ts";
import { best } from "./best.ts";
import { type Facts, type Line, NO_WISH, type Offer, sum, type Wish } from "./facts.ts";
import { leftOut, price } from "./price.ts";
import { anyLot, anyOrder } from "../testing/any-order.ts";

const ENOUGH = { balance: 100_000, least_points: 0 } as const;

const line = (place: number, unit_cents: number, units = 1, more: Partial<Line> = {}): Line => ({
  place,
  name: `商品 ${place}`,
  units,
  unit_cents,
  ...more,
});
const offer = (given: Partial<Offer> & Pick<Offer, "source" | "rule">): Offer => ({
  ref: given.source,
  name: given.source,
  priority: 0,
  min_cents: 0,
  provider_rate: 0,
  without: [],
  ...given,
});
const facts = (lines: readonly Line[], ...offers: Offer[]): Facts => ({ version: 1, at: "2026-11-20T04:00:00Z", lines, offers });
const wish = (given: Partial<Wish>): Wish => ({ ...NO_WISH, ...given });
const offs = (given: ReturnType<typeof price>) => given.parts.map(({ ref, off_cents }) => [ref, off_cents]);

const cut100 = (given: Partial<Offer> = {}) =>
  offer({ source: "coupon", ref: "c1", min_cents: 10_000, rule: { kind: "off", off_cents: 2_000 }, ...given });
const breakfast = [line(1, 2_800, 3), line(2, 4_500), line(3, 3_000)];
const level = offer({ source: "member", rule: { kind: "member", rate: 5_000, prices: {} } });
const fully = facts(
  breakfast,
  level,
  offer({ source: "auto", rule: { kind: "each", every_cents: 5_000, off_cents: 500 }, cap_cents: 1_500 }),
  offer({ source: "coupon", ref: "cake", places: [2], rule: { kind: "units", rate: 50_000, most_units: 1 } }),
  offer({ source: "coupon", ref: "c80", min_cents: 8_000, rule: { kind: "off", off_cents: 2_000 } }),
  offer({ source: "points", rule: { kind: "points", ...ENOUGH, step_points: 100, step_cents: 100, most_rate: 50_000 } }),
  offer({ source: "stored", rule: { kind: "stored", lots: [anyLot("l", 16_000, 4_000)] } }),
);
const fullWish = wish({ chosen: ["cake", "c80"], points: 1_000, stored_cents: 4_000 });

describe("the worked examples of a price", () => {
  test("a plain till", () => {
    const priced = price(facts([line(1, 10_000)], cut100()), wish({ chosen: ["c1"] }));
    expect([priced.value_cents, priced.money_cents, priced.parts[0]?.merchant_cents]).toEqual([8_000, 8_000, 2_000]);
  });
  test("a cent that cannot be cut goes to the first line", () => {
    const three = facts(
      [line(1, 1_000), line(2, 1_000), line(3, 1_000)],
      cut100({ min_cents: 3_000, rule: { kind: "off", off_cents: 1_000 } }),
    );
    const priced = price(three, wish({ chosen: ["c1"] }));
    expect(priced.parts[0]?.lines).toEqual([334, 333, 333]);
    expect(priced.nets).toEqual([666, 667, 667]);
  });
  test("level, each-full, an item coupon, a whole-order coupon, points and stored value, each on what is left", () => {
    const priced = price(fully, fullWish);
    expect(priced.parts.map(({ ref, off_cents, lines }) => [ref, off_cents, ...lines])).toEqual([
      ["member", 795, 420, 225, 150],
      ["auto", 1_500, 792, 425, 283],
      ["cake", 1_925, 0, 1_925, 0],
      ["c80", 2_000, 1_231, 330, 439],
      ["points", 1_000, 615, 165, 220],
      ["stored", 4_000, 2_462, 659, 879],
    ]);
    expect(priced.nets).toEqual([5_342, 1_430, 1_908]);
    expect([priced.value_cents, priced.money_cents, priced.principal_cents, priced.gift_cents]).toEqual([8_680, 4_680, 3_200, 800]);
    expect(priced.refused).toEqual([]);
  });
  test("the provider's part of a coupon, and who bears the rest", () => {
    const drink = facts(
      [line(1, 3_990, 2), line(2, 2_550)],
      offer({ source: "coupon", rule: { kind: "rate", rate: 12_000 }, cap_cents: 1_500, provider_rate: 70_000 }),
    );
    const priced = price(drink, wish({ chosen: ["coupon"] }));
    expect(priced.parts[0]).toMatchObject({ off_cents: 1_264, lines: [958, 306], provider_cents: 885, merchant_cents: 379 });
    expect(back(drink.lines, priced, NOTHING_GIVEN, { units: { 1: 1 } })).toMatchObject({ money_cents: 3_511, provider: { coupon: 335 } });
  });
  test("one unit for a price where the others reach the minimum", () => {
    const cups = facts(
      [line(1, 2_800, 2), line(2, 4_900)],
      offer({ source: "coupon", places: [2], min_cents: 5_000, rule: { kind: "exchange", price_cents: 990 } }),
    );
    const priced = price(cups, wish({ chosen: ["coupon"] }));
    expect([priced.money_cents, priced.nets]).toEqual([6_590, [5_600, 990]]);
    expect(back(cups.lines, priced, NOTHING_GIVEN, { units: { 2: 1 } })?.money_cents).toBe(990);
    const one = price({ ...cups, lines: [line(1, 2_800), line(2, 4_900)] }, wish({ chosen: ["coupon"] }));
    expect(one.refused).toMatchObject([{ ref: "coupon", code: "below", need_cents: 5_000, short_cents: 2_200 }]);
  });
  test("the best of what excludes and what stacks", () => {
    const both = facts(
      breakfast,
      level,
      cut100({ ref: "c150", min_cents: 15_000, rule: { kind: "off", off_cents: 3_000 }, without: ["member"] }),
      cut100({ ref: "c100" }),
    );
    expect(price(both, wish({ chosen: ["c100"] })).value_cents).toBe(13_105);
    const found = best(both);
    expect([found.priced.value_cents, found.wish.chosen, found.whole]).toEqual([12_900, ["c150"], true]);
    expect(price(both, wish({ chosen: ["c150"] })).refused).toMatchObject([{ ref: "member", code: "excluded" }]);
  });
  test("all by stored value leaves no money, and its refund moves none", () => {
    const paid = price(
      facts([line(1, 3_000)], offer({ source: "stored", rule: { kind: "stored", lots: [anyLot("l", 5_000, 0)] } })),
      wish({ stored_cents: 3_000 }),
    );
    expect([paid.money_cents, paid.principal_cents]).toEqual([0, 3_000]);
    expect(back([line(1, 3_000)], paid, NOTHING_GIVEN, { cents: 1_000 })).toMatchObject({
      money_cents: 0,
      principal_cents: 1_000,
      whole: false,
    });
  });
});

describe("what an offer looks at", () => {
  test.each([
    ["goods without discount are left alone by a coupon", { no_discount: true }, cut100({ min_cents: 0 }), 0],
    ["freight is left alone by a coupon", { freight: true }, cut100({ min_cents: 0 }), 0],
    ["a cashier's own discount takes goods without discount too", { no_discount: true }, cut100({ source: "manual", min_cents: 0 }), 2_000],
    [
      "freight is paid by stored value",
      { freight: true },
      offer({ source: "stored", rule: { kind: "stored", lots: [anyLot("l", 900, 0)] } }),
      900,
    ],
  ])("%s", (_what, more, given, off) => {
    const priced = price(facts([line(1, 10_000, 1, more)], given), wish({ chosen: ["c1"], stored_cents: 99_999 }));
    expect(sum(priced.parts.map(({ off_cents }) => off_cents))).toBe(off);
  });
  test("a threshold counts on what is left, and says what is missing", () => {
    const priced = price(facts([line(1, 10_000)], level, cut100({ min_cents: 9_501 })), wish({ chosen: ["c1"] }));
    expect(priced.refused).toMatchObject([{ ref: "c1", code: "below", need_cents: 9_501, short_cents: 1 }]);
    expect(price(facts([line(1, 10_000)], level, cut100({ min_cents: 9_500 })), wish({ chosen: ["c1"] })).value_cents).toBe(7_500);
  });
  test("each line goes by its own member price or by the level, whichever is lower", () => {
    const rule = { kind: "member", rate: 10_000, prices: { 1: 2_000, 2: 4_400, 3: 100 } } as const;
    const lines = [line(1, 2_800, 3), line(2, 4_500), line(3, 3_000, 1, { no_discount: true }), line(4, 333)];
    // 1: 6000 by its price; 2: 4050 by the level; 3: its own price alone; 4: the level.
    expect(price(facts(lines, offer({ source: "member", rule }))).parts[0]?.lines).toEqual([2_400, 450, 2_900, 33]);
  });
  test("the dearest units of several lines", () => {
    const rule = { kind: "units", rate: 50_000, most_units: 2 } as const;
    const priced = price(
      facts([line(1, 900, 3), line(2, 1_000), line(3, 5_000)], offer({ source: "coupon", places: [1, 2], rule })),
      wish({ chosen: ["coupon"] }),
    );
    expect(priced.parts[0]?.lines).toEqual([450, 500, 0]);
  });
  test("what takes off nothing is not used and stands in nobody's way", () => {
    const priced = price(facts([line(1, 10_000)], level, cut100({ min_cents: 99_999, without: ["member"] })), wish({ chosen: ["c1"] }));
    expect(offs(priced)).toEqual([["member", 500]]);
  });
  test("of a group the more urgent, then who takes off more, then the smaller name", () => {
    const auto = (ref: string, priority: number, off_cents: number, min_cents = 0) =>
      offer({ source: "auto", ref, group: "g", priority, min_cents, rule: { kind: "off", off_cents } });
    expect(offs(price(facts([line(1, 9_000)], auto("a", 1, 900), auto("b", 2, 100), auto("c", 2, 200), auto("d", 3, 500, 9_001))))).toEqual(
      [["c", 200]],
    );
    const equal = price(facts([line(1, 9_000)], auto("b", 2, 100), auto("a", 2, 100)));
    expect(offs(equal)).toEqual([["a", 100]]);
    expect(equal.refused).toMatchObject([{ ref: "b", code: "group" }]);
  });
  test("one coupon for the whole, two for lines, each line one", () => {
    const item = (ref: string, ...places: number[]) => cut100({ ref, places, min_cents: 0, rule: { kind: "off", off_cents: 100 } });
    const many = facts(
      [line(1, 2_000), line(2, 2_000)],
      cut100({ ref: "w1", min_cents: 0 }),
      cut100({ ref: "w2", min_cents: 0 }),
      item("i1", 1),
      item("i2", 1),
      item("i3", 2),
    );
    const priced = price(many, wish({ chosen: ["w1", "w2", "i1", "i2", "i3"] }));
    expect(priced.refused.map(({ ref, code }) => [ref, code])).toEqual([
      ["i2", "line"],
      ["w2", "count"],
    ]);
    expect(offs(priced)).toEqual([
      ["i1", 100],
      ["i3", 100],
      ["w1", 2_000],
    ]);
  });
  test("points go by whole steps within their part of what is left", () => {
    const rule = { kind: "points", ...ENOUGH, step_points: 100, step_cents: 100, most_rate: 50_000 } as const;
    const at = (points: number) => price(facts([line(1, 1_099)], offer({ source: "points", rule })), wish({ points })).parts[0]?.points;
    expect([at(99), at(199), at(550), at(9_999)]).toEqual([undefined, 100, 500, 500]);
  });
});

describe("refunds", () => {
  const paid = () => price(fully, fullWish);
  test("of lines, then of the rest", () => {
    const first = back(breakfast, paid(), NOTHING_GIVEN, { units: { 1: 1, 2: 1 } });
    expect(first).toMatchObject({
      value_cents: 3_211,
      money_cents: 1_731,
      principal_cents: 1_184,
      gift_cents: 296,
      points: { points: 370 },
      whole: false,
    });
    const rest = back(breakfast, paid(), { ...NOTHING_GIVEN, ...first }, { units: { 1: 2, 3: 1 } });
    expect(rest).toMatchObject({
      value_cents: 5_469,
      money_cents: 2_949,
      principal_cents: 2_016,
      gift_cents: 504,
      points: { points: 630 },
      whole: true,
    });
  });
  test("by amount", () => {
    const order = facts(
      [line(1, 10_000)],
      cut100(),
      offer({ source: "points", rule: { kind: "points", ...ENOUGH, step_points: 100, step_cents: 100, most_rate: 100_000 } }),
      offer({ source: "stored", rule: { kind: "stored", lots: [anyLot("l", 2_400, 600)] } }),
    );
    const priced = price(order, wish({ chosen: ["c1"], points: 500, stored_cents: 3_000 }));
    let before: Given = NOTHING_GIVEN;
    const points: number[] = [];
    for (let n = 0; n < 3; n++) {
      const gone = back(order.lines, priced, before, { cents: 2_500 });
      expect(gone).toMatchObject({ money_cents: 1_500, principal_cents: 800, gift_cents: 200, whole: n === 2 });
      points.push(gone?.points["points"] ?? 0);
      before = add(before, gone as Given);
    }
    expect(points).toEqual([167, 166, 167]);
    expect(back(order.lines, priced, before, { cents: 1 })).toBeUndefined();
  });
  test("after one took the rest and another failed, gives nothing until that is made up", () => {
    const rest = back(
      breakfast,
      paid(),
      { ...NOTHING_GIVEN, value_cents: 3_000, money_cents: 3_000, amount_cents: 3_000, points: { points: 300 } },
      { cents: 5_680 },
    );
    expect(rest).toMatchObject({ points: { points: 700 }, whole: true });
    const before = {
      ...NOTHING_GIVEN,
      value_cents: 5_680,
      money_cents: 4_680,
      principal_cents: 1_000,
      amount_cents: 5_680,
      points: { points: 700 },
    };
    expect(back(breakfast, paid(), before, { cents: 300 })).toMatchObject({ points: { points: 0 }, whole: false });
    expect(back(breakfast, paid(), before, { cents: 3_000 })).toMatchObject({ points: { points: 300 }, whole: true });
  });
  test.each([
    ["more units than there are", { units: { 2: 2 } }],
    ["half a unit", { units: { 1: 0.5 } }],
    ["less than nothing", { units: { 1: -1 } }],
    ["an amount below nothing", { cents: -1 }],
    ["nothing", { cents: 0 }],
    ["more than there is", { cents: 8_681 }],
  ] as const)("%s are refused", (_what, ask) => expect(back(breakfast, paid(), NOTHING_GIVEN, ask as Ask)).toBeUndefined());
  test("an order that cost nothing goes back whole at once", () => {
    const free = price(facts([line(1, 100)], cut100({ min_cents: 0 })), wish({ chosen: ["c1"] }));
    expect(back([line(1, 100)], free, NOTHING_GIVEN, { cents: 0 })).toMatchObject({ value_cents: 0, whole: true });
  });
});

const add = (a: Given, b: Given): Given => ({
  value_cents: a.value_cents + b.value_cents,
  amount_cents: a.amount_cents + b.amount_cents,
  money_cents: a.money_cents + b.money_cents,
  principal_cents: a.principal_cents + b.principal_cents,
  gift_cents: a.gift_cents + b.gift_cents,
  points: plus(a.points, b.points),
  units: plus(a.units, b.units),
  provider: plus(a.provider, b.provider),
});
function plus(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): Record<string, number> {
  const all = { ...a };
  for (const [key, value] of Object.entries(b)) all[key] = (all[key] ?? 0) + value;
  return all;
}

describe("what must always hold, over any order", () => {
  test("parts and lines add up, nothing is below zero, and the order of offers changes nothing", () => {
    fc.assert(
      fc.property(anyOrder, fc.nat(), ({ facts: given, wish: wanted }, turn) => {
        const priced = price(given, wanted);
        const tenders = priced.parts.filter(({ source }) => source === "stored");
        expect(sum(priced.parts.map(({ off_cents }) => off_cents)) + priced.money_cents).toBe(priced.gross_cents);
        expect(priced.money_cents).toBeGreaterThanOrEqual(0);
        expect(sum(priced.nets)).toBe(priced.value_cents);
        expect(priced.principal_cents + priced.gift_cents).toBe(sum(tenders.map(({ off_cents }) => off_cents)));
        for (const part of priced.parts) {
          expect(part.off_cents).toBeGreaterThan(0);
          expect(sum(part.lines)).toBe(part.off_cents);
          expect(Math.min(...part.lines, part.provider_cents, part.merchant_cents, part.gift_cents)).toBeGreaterThanOrEqual(0);
          expect(part.provider_cents + part.merchant_cents).toBe(part.off_cents);
        }
        expect(Math.min(...priced.nets)).toBeGreaterThanOrEqual(0);
        const cut = turn % Math.max(1, given.offers.length);
        const turned = { ...given, offers: [...given.offers.slice(cut), ...given.offers.slice(0, cut)].toReversed() };
        expect(price(turned, wanted)).toEqual(priced);
      }),
      { numRuns: 400 },
    );
  });
  test("whatever is given back, in any cuts, never passes what was paid, and the last gives the rest of everything", () => {
    const ask = fc.oneof(
      fc.record({ place: fc.integer({ min: 1, max: 4 }), units: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ cents: fc.integer({ min: 1, max: 9_000 }) }),
    );
    fc.assert(
      fc.property(anyOrder, fc.array(ask, { maxLength: 8 }), ({ facts: { lines, ...rest }, wish: wanted }, asks) => {
        const priced = price({ lines, ...rest }, wanted);
        let before: Given = NOTHING_GIVEN;
        const most = (all: Given) => {
          expect(all.value_cents).toBe(all.money_cents + all.principal_cents + all.gift_cents);
          expect(all.money_cents).toBeLessThanOrEqual(priced.money_cents);
          expect(all.principal_cents).toBeLessThanOrEqual(priced.principal_cents);
          expect(all.gift_cents).toBeLessThanOrEqual(priced.gift_cents);
          for (const part of priced.parts) {
            expect(all.points[part.ref] ?? 0).toBeLessThanOrEqual(part.points);
            expect(all.provider[part.ref] ?? 0).toBeLessThanOrEqual(part.provider_cents);
          }
        };
        for (const one of asks) {
          const gone = back(lines, priced, before, "cents" in one ? { cents: one.cents } : { units: { [one.place]: one.units } });
          if (!gone) continue;
          expect(
            Math.min(
              gone.money_cents,
              gone.principal_cents,
              gone.gift_cents,
              ...Object.values(gone.points),
              ...Object.values(gone.provider),
            ),
          ).toBeGreaterThanOrEqual(0);
          before = add(before, gone);
          most(before);
        }
        const left = priced.value_cents - before.value_cents;
        if (left === 0) return;
        const last = back(lines, priced, before, { cents: left });
        expect(last?.whole).toBe(true);
        const all = add(before, last as Given);
        expect([all.money_cents, all.principal_cents, all.gift_cents]).toEqual([
          priced.money_cents,
          priced.principal_cents,
          priced.gift_cents,
        ]);
        for (const part of priced.parts)
          expect([all.points[part.ref] ?? 0, all.provider[part.ref] ?? 0]).toEqual([part.points, part.provider_cents]);
      }),
      { numRuns: 400 },
    );
  });
  test("one more coupon never makes the best price higher while the search is whole", () => {
    fc.assert(
      fc.property(anyOrder, ({ facts: given, wish: wanted }) => {
        const all = best(given, wanted);
        const coupons = given.offers.filter(({ source }) => source === "coupon");
        for (const coupon of coupons) {
          const less = best({ ...given, offers: given.offers.filter((one) => one !== coupon) }, wanted);
          if (all.whole && less.whole) expect(all.priced.value_cents).toBeLessThanOrEqual(less.priced.value_cents);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("the search for the best", () => {
  const many = (count: number, places?: number[]) =>
    Array.from({ length: count }, (_, n) =>
      cut100({
        ref: `${places ? "i" : "w"}${String(n).padStart(2, "0")}`,
        ...(places && { places }),
        min_cents: 0,
        rule: { kind: "off", off_cents: 10 + n },
      }),
    );
  test("compares every way of thirteen and twenty-two, twice two for what applies by itself", () => {
    const auto = offer({ source: "auto", rule: { kind: "off", off_cents: 1 } });
    const found = best(
      facts(
        [line(1, 9_000), line(2, 9_000)],
        level,
        auto,
        ...many(12),
        ...many(3, [1]),
        ...many(3, [2]).map((one) => ({ ...one, ref: `j${one.ref}` })),
      ),
    );
    expect([found.compared, found.whole]).toEqual([1_144, true]);
    expect(found.wish.chosen).toEqual(["w11", "i02", "ji02"]);
  });
  const member_auto = [level, offer({ source: "auto", rule: { kind: "off", off_cents: 1 } })];
  test.each([200, 100, 20, 1])(
    "prices no more than its bound of work with a hundred coupons and %i lines, and says that it is not whole",
    (n) => {
      const lines = Array.from({ length: n }, (_none, at) => line(at + 1, 100_000 / n));
      let priced = 0;
      const found = best(facts(lines, ...member_auto, ...many(60), ...many(40, [1])), NO_WISH, 24_000, (...given) => {
        priced++;
        return price(...given);
      });
      expect([priced * n <= 24_000, found.whole]).toEqual([true, false]);
      // By their worth on the list price the best of both were looked at.
      expect(found.wish.chosen).toContain("w59");
      expect(found.wish.chosen).toContain("i39");
    },
  );
  test("of more than a hundred kinds looks at those that end first, and says that there are more", () => {
    const soon = many(100).map((one) => ({ ...one, ends: "2026-11-30" }));
    const late = { ...many(1)[0]!, ref: "late", ends: "2026-12-31", rule: { kind: "off", off_cents: 5_000 } as const };
    expect(best(facts([line(1, 9_000)], ...soon)).wish.chosen).toEqual(["w99"]);
    const more = best(facts([line(1, 9_000)], late, ...soon));
    expect([more.whole, more.wish.chosen]).toEqual([false, ["w99"]]);
    // Of one kind any number is one.
    const alike = soon.map((one) => ({ ...one, same: "k" }));
    expect(best(facts([line(1, 9_000)], ...alike, late))).toMatchObject({ whole: true, wish: { chosen: ["late"] } });
  });
  test("a threshold that only the list price reaches counts as its worth without what applies by itself", () => {
    const big = cut100({ ref: "big", rule: { kind: "off", off_cents: 3_000 } });
    const all = facts([line(1, 10_000)], level, big, cut100({ ref: "small", min_cents: 0, rule: { kind: "off", off_cents: 100 } }));
    const found = best(all);
    expect([found.wish.chosen, found.wish.leave, found.priced.value_cents]).toEqual([["big"], ["member"], 7_000]);
    // What was left out is told; what would not have applied anyway says so instead.
    expect(leftOut(all, found.wish)).toEqual([{ source: "member", ref: "member", name: "member", code: "left" }]);
    const never = { ...all, offers: [{ ...level, min_cents: 10_001 }, big] };
    expect(leftOut(never, found.wish)).toMatchObject([{ ref: "member", code: "below", short_cents: 1 }]);
    expect(leftOut(all, NO_WISH)).toEqual([]);
  });
  test("of equals fewer coupons, then the one that ends first, and of the same campaign one", () => {
    const same = [cut100({ ref: "late", same: "x", ends: "2026-12-31" }), cut100({ ref: "soon", same: "x", ends: "2026-11-30" })];
    expect(best(facts([line(1, 10_000)], ...same)).wish.chosen).toEqual(["soon"]);
    const equal = [cut100({ ref: "a", ends: "2026-12-31" }), cut100({ ref: "b", ends: "2026-11-30" })];
    expect(best(facts([line(1, 10_000)], ...equal)).wish.chosen).toEqual(["b"]);
    expect(best(facts([line(1, 10_000)], cut100({ min_cents: 10_001 }))).wish.chosen).toEqual([]);
  });
});
