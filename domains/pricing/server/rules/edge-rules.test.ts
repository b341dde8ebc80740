import { describe, expect, test } from "vitest";
import { anyLot } from "../testing/any-order.ts";
import { back, NOTHING_GIVEN, type Given } from "./back.ts";
import { best } from "./best.ts";
import { type Facts, type Line, NO_WISH, type Offer, type Wish } from "./facts.ts";
import { reckon } from "./offer-rules.ts";
import { price } from "./price.ts";

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
const off = (off_cents: number) => ({ kind: "off", off_cents }) as const;
const facts = (lines: readonly Line[], ...offers: Offer[]): Facts => ({ version: 1, at: "2026-11-20T04:00:00Z", lines, offers });
const wish = (given: Partial<Wish>): Wish => ({ ...NO_WISH, ...given });
const coupon = (ref: string, given: Partial<Offer> = {}): Offer => offer({ source: "coupon", ref, rule: off(500), ...given });
const item = (ref: string, places: readonly number[], given: Partial<Offer> = {}): Offer => coupon(ref, { places, ...given });
/** What was taken off, in the order in which it was, and what was not and why. */
const told = (all: Facts, given: Partial<Wish> = {}) => {
  const { parts, refused } = price(all, wish(given));
  return { off: parts.map(({ ref, off_cents }) => [ref, off_cents]), no: refused.map(({ ref, code }) => [ref, code]) };
};
const one = [line(1, 10_000)];

test("a merchant may allow fewer coupons than the product does", () => {
  const goods = [line(1, 3_000), line(2, 2_000)];
  const all = facts(goods, coupon("w"), item("a", [1], { rule: off(100) }), item("b", [2], { rule: off(200) }));
  const chosen = { chosen: ["w", "a", "b"] };
  expect(told(all, chosen).no).toEqual([]);
  expect(told({ ...all, most: { whole: 0, item: 1 } }, chosen)).toEqual({
    off: [["a", 100]],
    no: [
      ["b", "count"],
      ["w", "count"],
    ],
  });
  expect(best({ ...all, most: { whole: 0, item: 1 } }).priced.value_cents).toBe(4_800);
});

describe("one offer", () => {
  const lines = [line(1, 3_000), line(2, 2_000)];
  const nets = [3_000, 2_000];
  const ask = (given: Offer, more: Partial<Wish> = {}, taken: readonly number[] = [], left = nets) =>
    reckon(given, lines, left, new Set(taken), wish(more));
  test("of lines that another item coupon has says so, and nobody else does", () => {
    expect(ask(item("i", [1]), {}, [1])).toEqual({ code: "line" });
    expect(ask(item("i", [9]))).toEqual({ code: "nothing" });
    expect(ask(offer({ source: "manual", places: [9], rule: off(1) }), {}, [1])).toEqual({ code: "nothing" });
    expect(ask(coupon("w"), {}, [1, 2])).toMatchObject({ lines: [300, 200] });
  });
  test("that comes to nothing says so", () => {
    expect(ask(coupon("w", { rule: off(0) }))).toEqual({ code: "nothing" });
    expect(ask(coupon("w", { rule: { kind: "each", every_cents: 2_000, off_cents: 300 } }))).toMatchObject({ lines: [360, 240] });
  });
  test("换购 looks at one unit of its own and at what all others come to, without freight and goods without discount", () => {
    const shop = [line(1, 4_900), line(2, 3_000), line(3, 1_000, 1, { freight: true }), line(4, 500, 1, { no_discount: true })];
    const mug = (min_cents: number, price_cents = 990) => item("mug", [1], { min_cents, rule: { kind: "exchange", price_cents } });
    const asked = (given: Offer) => reckon(given, shop, [4_900, 3_000, 1_000, 500], new Set(), NO_WISH);
    expect(asked(mug(3_000))).toMatchObject({ lines: [3_910, 0, 0, 0] });
    expect(asked(mug(3_001))).toEqual({ code: "below", need_cents: 3_001, short_cents: 1 });
    expect(asked(mug(0, 4_900))).toEqual({ code: "nothing" });
    expect(asked({ ...mug(0), places: [9] })).toEqual({ code: "nothing" });
  });
  test("of units goes by the dearest, of equals the earlier line's, and never by a line of nothing", () => {
    const half = (most_units: number) => offer({ source: "coupon", places: [1, 2, 3], rule: { kind: "units", rate: 50_000, most_units } });
    const three = [line(1, 1_000), line(2, 1_000), line(3, 1_000)];
    const asked = (most: number, left: readonly number[]) => reckon(half(most), three, left, new Set(), NO_WISH);
    expect(asked(1, [1_000, 1_000, 1_000])).toMatchObject({ lines: [500, 0, 0] });
    expect(asked(2, [1_000, 1_000, 1_000])).toMatchObject({ lines: [500, 500, 0] });
    expect(asked(2, [0, 1_000, 400])).toMatchObject({ lines: [0, 500, 200] });
    const few = [line(1, 900, 3), line(2, 1_000)];
    expect(reckon(half(2), few, [2_700, 1_000], new Set(), NO_WISH)).toMatchObject({ lines: [450, 500] });
  });
  test("of a level leaves a line to its own price where both are the same", () => {
    const member = offer({ source: "member", rule: { kind: "member", rate: 5_000, prices: { 1: 104 } } });
    const two = [line(1, 110), line(2, 30)];
    expect(reckon(member, two, [110, 30], new Set(), NO_WISH)).toMatchObject({ lines: [6, 2] });
  });
  test("of points asks for the least, and for whole steps", () => {
    const points = (least_points: number) =>
      offer({
        source: "points",
        rule: { kind: "points", balance: 1_000, least_points, step_points: 100, step_cents: 100, most_rate: 100_000 },
      });
    expect(ask(points(500), { points: 500 })).toMatchObject({ points: 500 });
    expect(ask(points(501), { points: 500 })).toEqual({ code: "least" });
    expect(ask(points(0), { points: 99 })).toEqual({ code: "nothing" });
  });
  test("of stored value draws nothing where nothing is left to pay", () => {
    const stored = offer({ source: "stored", rule: { kind: "stored", lots: [anyLot("l", 1_000, 0)] } });
    expect(ask(stored, { stored_cents: 0 })).toEqual({ code: "nothing" });
    expect(ask(stored, { stored_cents: 400 })).toMatchObject({ lines: [240, 160] });
  });
});

describe("several offers", () => {
  test("a manual discount and a voucher are no coupons to the count", () => {
    const all = facts(one, coupon("w"), offer({ source: "manual", rule: off(100) }), offer({ source: "voucher", rule: off(200) }));
    expect(told(all, { chosen: ["w", "manual", "voucher"] })).toEqual({
      off: [
        ["voucher", 200],
        ["w", 500],
        ["manual", 100],
      ],
      no: [],
    });
  });
  test("a voucher for goods pays for one unit of each of its lines, before the level and the coupon look at the rest", () => {
    const goods = [line(1, 3_000, 2), line(2, 2_000, 1, { no_discount: true }), line(3, 900, 1, { freight: true })];
    const set = (ref: string, places: readonly number[]) =>
      offer({ source: "voucher", ref, places, rule: { kind: "goods", face_cents: 0 } });
    const level = offer({ source: "member", rule: { kind: "member", rate: 10_000, prices: {} } });
    const all = facts(goods, set("a", [1, 2]), set("b", [2]), set("c", [3]), level, coupon("w", { min_cents: 2_700 }));
    expect(told(all, { chosen: ["a", "b", "c", "w"] })).toEqual({
      off: [
        ["a", 5_000],
        ["member", 300],
        ["w", 500],
      ],
      no: [
        ["b", "nothing"],
        ["c", "nothing"],
      ],
    });
  });
  test("an offer that names lines keeps no item coupon away, unless it is one", () => {
    const all = facts(one, offer({ source: "auto", places: [1], rule: off(100) }), item("i", [1]), item("j", [1]));
    expect(told(all, { chosen: ["i", "j"] })).toEqual({
      off: [
        ["auto", 100],
        ["i", 500],
      ],
      no: [["j", "line"]],
    });
  });
  test("of two chosen that exclude each other the earlier step stands, and says why the other does not", () => {
    const all = facts(one, coupon("w", { without: ["manual"] }), offer({ source: "manual", rule: off(100) }));
    expect(told(all, { chosen: ["w", "manual"] })).toEqual({ off: [["w", 500]], no: [["manual", "excluded"]] });
  });
  test("a coupon that goes with no other goes alone", () => {
    const all = facts([line(1, 5_000), line(2, 5_000)], item("i", [1], { without: ["coupon"] }), item("j", [2]));
    expect(told(all, { chosen: ["i"] })).toEqual({ off: [["i", 500]], no: [] });
    expect(told(all, { chosen: ["i", "j"] })).toEqual({ off: [["i", 500]], no: [["j", "excluded"]] });
  });
  test("what applies by itself gives way to what stands, and to nothing that does not", () => {
    const member = offer({ source: "member", rule: { kind: "member", rate: 5_000, prices: {} } });
    const auto = (without: Offer["without"]) => offer({ source: "auto", rule: off(300), without });
    expect(told(facts(one, member, auto(["member"])))).toEqual({ off: [["member", 500]], no: [["auto", "excluded"]] });
    // A coupon that nobody chose stands in nobody's way.
    expect(told(facts(one, auto(["coupon"]), coupon("w")))).toEqual({ off: [["auto", 300]], no: [] });
    expect(told(facts(one, auto(["coupon"]), coupon("w")), { chosen: ["w"] })).toEqual({ off: [["w", 500]], no: [["auto", "excluded"]] });
  });
  test("coupons go by what they are: items off, units, exchange, then the whole order's", () => {
    const lines = [line(1, 2_000), line(2, 2_000), line(3, 2_000)];
    const units = item("b", [2], { rule: { kind: "units", rate: 50_000, most_units: 1 } });
    const swap = item("c", [3], { rule: { kind: "exchange", price_cents: 100 } });
    const share = coupon("a", { rule: { kind: "rate", rate: 10_000 } });
    const order = (chosen: string[], ...offers: Offer[]) => told(facts(lines, ...offers), { chosen }).off.map(([ref]) => ref);
    expect(order(["z", "b"], item("z", [1]), units)).toEqual(["z", "b"]);
    expect(order(["z", "c"], { ...units, ref: "z" }, swap)).toEqual(["z", "c"]);
    expect(order(["a", "c"], share, swap)).toEqual(["c", "a"]);
    expect(order(["a", "z"], { ...share, rule: off(10) }, item("z", [1]))).toEqual(["z", "a"]);
  });
  test("automatic ones go by priority, whatever they are; those of different groups stand together, of one the larger, then by name", () => {
    const auto = (ref: string, more: Partial<Offer>) => offer({ source: "auto", ref, rule: off(100), ...more });
    const rate = { kind: "rate", rate: 10_000 } as const;
    const each = { kind: "each", every_cents: 5_000, off_cents: 100 } as const;
    expect(told(facts(one, auto("e", { rule: each, priority: 1 }), auto("r", { rule: rate, priority: 5 })))).toEqual({
      off: [
        ["r", 1_000],
        ["e", 100],
      ],
      no: [],
    });
    expect(told(facts(one, auto("a", { group: "g" }), auto("b", { group: "h" })))).toEqual({
      off: [
        ["a", 100],
        ["b", 100],
      ],
      no: [],
    });
    expect(told(facts(one, auto("d", { group: "g" }), auto("c", { group: "g" }), auto("e", { group: "g" })))).toEqual({
      off: [["c", 100]],
      no: [
        ["d", "group"],
        ["e", "group"],
      ],
    });
  });
  test("points and stored value that nobody wished are not spoken of", () => {
    const points = { kind: "points", balance: 1_000, least_points: 0, step_points: 100, step_cents: 100, most_rate: 100_000 } as const;
    const stored = { kind: "stored", lots: [anyLot("l", 1_000, 0)] } as const;
    const all = facts(one, offer({ source: "points", rule: points }), offer({ source: "stored", rule: stored }));
    expect(told(all)).toEqual({ off: [], no: [] });
    expect(told(all, { points: 100 })).toEqual({ off: [["points", 100]], no: [] });
  });
  test("what was refused is told by name", () => {
    const all = facts(one, ...["c", "a", "d", "b"].map((ref) => coupon(ref, { min_cents: 20_000 })));
    expect(told(all, { chosen: ["d", "b", "a", "c"] }).no.map(([ref]) => ref)).toEqual(["a", "b", "c", "d"]);
  });
});

describe("最省", () => {
  const refs = ({ wish: { chosen } }: ReturnType<typeof best>) => chosen;
  const coupons = (wholes: number, items: number): Facts =>
    facts(
      [line(1, 90_000)],
      ...Array.from({ length: wholes }, (_none, at) => coupon(`w${at}`, { rule: off(100 + at) })),
      ...Array.from({ length: items }, (_none, at) => item(`i${at}`, [1], { rule: off(1_000 + at) })),
    );
  // A room of so many prices: each coupon by itself, then those together that are not priced yet, and the way that was found once more.
  test.each([
    [2, 2, 17, 12, true],
    [2, 2, 16, 6, false],
    [3, 0, 13, 4, true],
    [3, 0, 12, 3, false],
    [0, 2, 9, 4, true],
    [0, 3, 13, 7, true],
    [12, 6, 287, 286, true],
    [12, 6, 286, 208, false],
    [12, 6, 210, 208, false],
    [12, 6, 209, 192, false],
    [12, 6, 195, 192, false],
    [12, 6, 194, 176, false],
    [12, 6, 178, 121, false],
    [13, 0, 999, 13, false],
    [0, 7, 999, 22, false],
    [1, 0, 1, 1, false],
  ])("of %i for the whole and %i for items a room of %i compares %i", (wholes, items, room, compared, whole) => {
    const found = best(coupons(wholes, items), NO_WISH, room);
    expect([found.compared, found.whole]).toEqual([compared, whole]);
  });
  test("tries neither what saves nothing nor its like, and leaves out only what is there", () => {
    const useless = coupon("u", { min_cents: 99_999 });
    expect(best(facts(one, coupon("a"), useless)).compared).toBe(2);
    const member = offer({ source: "member", rule: { kind: "member", rate: 5_000, prices: {} } });
    expect(best(facts(one, member, useless)).compared).toBe(2);
    expect(best(facts(one, member, coupon("a"))).compared).toBe(4);
    const alike = ["c", "a", "b"].map((ref) => coupon(ref, { same: "s", ends: `2026-12-${ref === "b" ? "01" : "31"}` }));
    expect([best(facts(one, ...alike)).compared, refs(best(facts(one, ...alike)))]).toEqual([2, ["b"]]);
    expect(best(facts(one, coupon("a"), coupon("b"))).compared).toBe(3);
  });
  test("of equals takes fewer coupons, what ends first, then the smaller name, and leaves out no more than it must", () => {
    const small = [line(1, 300)];
    expect(refs(best(facts(small, item("i", [1]), coupon("w"))))).toHaveLength(1);
    const ends = (ref: string, day: string | undefined) => coupon(ref, day === undefined ? {} : { ends: day });
    expect(refs(best(facts(one, ends("a", "2026-12-31"), ends("b", "2026-12-01"))))).toEqual(["b"]);
    expect(refs(best(facts(one, ends("a", undefined), ends("b", "2026-12-01"))))).toEqual(["b"]);
    expect(refs(best(facts(one, ends("b", "2026-12-01"), ends("a", "2026-12-01"), ends("c", "2026-12-01"))))).toEqual(["a"]);
    const member = offer({ source: "member", rule: { kind: "member", rate: 5_000, prices: {} } });
    expect(best(facts(small, member, coupon("w"))).wish.leave).toEqual([]);
  });
  test("keeps what was chosen besides coupons", () => {
    const all = facts(one, coupon("a"), offer({ source: "manual", rule: off(100) }));
    expect(refs(best(all, wish({ chosen: ["manual"] })))).toEqual(["manual", "a"]);
  });
});

describe("a refund", () => {
  const lines = [line(1, 1_000, 3)];
  const points = offer({
    source: "points",
    rule: { kind: "points", balance: 900, least_points: 0, step_points: 100, step_cents: 100, most_rate: 100_000 },
  });
  const stored = offer({ source: "stored", rule: { kind: "stored", lots: [anyLot("l", 600, 300)] } });
  const paid = price(facts(lines, points, stored), wish({ points: 900, stored_cents: 900 }));
  const before = (given: Partial<Given>): Given => ({ ...NOTHING_GIVEN, ...given });
  test("is sent again with the same tenders, or not at all where one of them has less left", () => {
    const same = { money_cents: 100, principal_cents: 50, gift_cents: 20 };
    expect(back(lines, paid, NOTHING_GIVEN, { cents: 1 }, same)).toMatchObject({ value_cents: 170, ...same });
    const left = before({ value_cents: 1_150, money_cents: 1_150 });
    expect(back(lines, paid, left, { cents: 60 }, { money_cents: 60, principal_cents: 0, gift_cents: 0 })).toBeUndefined();
    expect(back(lines, paid, left, { cents: 60 }, { money_cents: 50, principal_cents: 10, gift_cents: 0 })).toMatchObject({
      value_cents: 60,
    });
  });
  test("has no more units than are left, and counts the points of all that went before", () => {
    const first = back(lines, paid, NOTHING_GIVEN, { units: { 1: 2 } })!;
    expect(first.points).toEqual({ points: 600 });
    const then = before({ ...first });
    expect(back(lines, paid, then, { units: { 1: 2 } })).toBeUndefined();
    expect(back(lines, paid, then, { units: { 1: 1 } })).toMatchObject({ whole: true, points: { points: 300 } });
    const one_by_one = back(lines, paid, NOTHING_GIVEN, { units: { 1: 1 } })!;
    expect(back(lines, paid, before({ ...one_by_one }), { units: { 1: 1 } })?.points).toEqual({ points: 300 });
  });
});
