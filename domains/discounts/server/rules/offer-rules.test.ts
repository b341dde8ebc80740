import { describe, expect, test } from "vitest";
import { type DiscountTerms, discountTerms } from "../../contract/index.ts";
import { holdsAt, isFor, offerOf, randomOff, type Rule } from "./offer-rules.ts";

const [HERE, THERE] = ["01a1f71c-7600-7000-8000-000000000001", "01a1f71c-7600-7000-8000-000000000002"];
const terms = (more: object = {}): DiscountTerms => discountTerms.parse(more);
const rule = (more: Partial<Rule> = {}): Rule => ({
  id: "r1",
  name: "立减",
  kind: 2,
  terms: terms({ offCents: 500, everyCents: 5_000 }),
  group: "",
  priority: 7,
  once: false,
  left_cents: null,
  ...more,
});
/** A moment in Shanghai; 2026-03-06 is a Friday. */
const at = (text: string) => new Date(`${text.replace(" ", "T")}:00+08:00`).toISOString();

describe("where and when a rule holds", () => {
  test.each([
    ["always, where nothing is said", {}, "2026-03-06 12:00", true],
    ["on its first day", { firstDay: "2026-03-06" }, "2026-03-06 00:00", true],
    ["not before it", { firstDay: "2026-03-06" }, "2026-03-05 23:59", false],
    ["to the end of its last day", { lastDay: "2026-03-06" }, "2026-03-06 23:59", true],
    ["not after it", { lastDay: "2026-03-06" }, "2026-03-07 00:00", false],
    ["on a day of the month", { monthDays: [6, 18] }, "2026-03-06 12:00", true],
    ["not on another", { monthDays: [7] }, "2026-03-06 12:00", false],
    ["at its store", { storeIds: [THERE, HERE] }, "2026-03-06 12:00", true],
    ["not at another", { storeIds: [THERE] }, "2026-03-06 12:00", false],
    ["on its weekday in its hours", { weekdays: [5], windows: [{ from: "11:00", to: "14:00" }] }, "2026-03-06 13:59", true],
    ["not after them", { weekdays: [5], windows: [{ from: "11:00", to: "14:00" }] }, "2026-03-06 14:00", false],
    [
      "past midnight by the weekday on which they began",
      { weekdays: [5], windows: [{ from: "22:00", to: "02:00" }] },
      "2026-03-07 01:00",
      true,
    ],
    ["not on another weekday", { weekdays: [6] }, "2026-03-06 12:00", false],
  ] as const)("%s", (_what, more, moment, holds) => expect(holdsAt(terms(more), HERE, at(moment))).toBe(holds));
});

describe("whom a rule is for", () => {
  const face = { ordered: true, rank: 2, had: [] as string[] };
  const NEW = { ...face, ordered: false };
  test.each([
    ["everybody", rule(), undefined, true],
    ["members too", rule(), face, true],
    ["members alone", rule({ terms: terms({ membersOnly: true }) }), undefined, false],
    ["a member", rule({ terms: terms({ membersOnly: true }) }), face, true],
    ["not somebody unknown, where a level is named", rule({ terms: terms({ levels: [2] }) }), undefined, false],
    ["its level", rule({ terms: terms({ levels: [1, 2] }) }), face, true],
    ["no other level", rule({ terms: terms({ levels: [1] }) }), face, false],
    ["not somebody unknown, where it is once a person", rule({ once: true }), undefined, false],
    ["who has not had it", rule({ once: true }), { ...face, had: ["r2"] }, true],
    ["not who has had it", rule({ once: true }), { ...face, had: ["r1"] }, false],
    ["a first order", rule({ kind: 1 }), NEW, true],
    ["not a later one", rule({ kind: 1 }), face, false],
    ["not somebody unknown, where it is for first orders", rule({ kind: 1 }), undefined, false],
    ["not somebody unknown, where it is for members' days", rule({ kind: 3 }), undefined, false],
    ["somebody who ordered before, of any other kind", rule({ kind: 3 }), face, true],
  ])("%s", (_what, given, who, is) => expect(isFor(given, who)).toBe(is));
});

describe("what a rule takes off", () => {
  const RULES = [
    ["an amount", { kind: 1 }, { kind: "off", off_cents: 500 }],
    [
      "so much of every so much",
      { kind: 2, terms: terms({ offCents: 300, everyCents: 5_000 }) },
      { kind: "each", every_cents: 5_000, off_cents: 300 },
    ],
    ["what was drawn", { kind: 4, terms: terms({ lowCents: 10, highCents: 90 }) }, { kind: "off", off_cents: 77 }],
    ["a part, on members' days", { kind: 3, terms: terms({ percent: 88 }) }, { kind: "rate", rate: 12_000 }],
    ["an amount, on members' days", { kind: 3 }, { kind: "off", off_cents: 500 }],
  ] as const;
  test.each(RULES)("%s", (_what, more, as) => {
    expect(offerOf(rule(more as Partial<Rule>), 77)).toEqual({
      source: "auto",
      ref: "r1",
      name: "立减",
      priority: 7,
      min_cents: 0,
      rule: as,
      provider_rate: 0,
      without: [],
    });
  });
  test("at most its cap and what its budget has left, in its group, above its threshold, beside what it lets", () => {
    const given = (cap: number | null, left: number | null) =>
      offerOf(
        rule({ group: "午市", left_cents: left, terms: terms({ offCents: 500, minCents: 8_000, capCents: cap, without: ["member"] }) }),
        0,
      );
    expect(given(400, 300)).toMatchObject({ cap_cents: 300, group: "午市", min_cents: 8_000, without: ["member"] });
    expect(given(200, 300).cap_cents).toBe(200);
    expect(given(200, null).cap_cents).toBe(200);
    expect(given(null, 0).cap_cents).toBe(0);
    expect(given(null, null)).not.toHaveProperty("cap_cents");
  });
  test("a drawn amount lies between both ends, in whole ten cents, and the same question has the same answer", () => {
    const key = Buffer.alloc(32, 5);
    const ends = terms({ lowCents: 105, highCents: 290 });
    const all = Array.from({ length: 4_000 }, (_none, n) => randomOff(key, "r1", `order ${n}`, ends));
    expect(Math.min(...all)).toBe(105);
    expect(Math.max(...all)).toBe(290);
    expect(all.every((off) => off === 105 || off % 10 === 0)).toBe(true);
    expect(new Set(all).size).toBe(20);
    expect(randomOff(key, "r1", "order 7", ends)).toBe(all[7]);
    const others = Array.from({ length: 50 }, (_none, n) => randomOff(key, "r2", `order ${n}`, ends));
    expect(others).not.toEqual(all.slice(0, 50));
    expect(randomOff(key, "r1", "order", terms({ lowCents: 100, highCents: 100 }))).toBe(100);
  });
});
