import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, weekdayOf } from "@zhangfang/contract/time.ts";
import { type NodeRef, PLATFORM_ID } from "../../level-config/contract/index.ts";
import { type Ad, type AdPlace, type AdSettings, inPeriod, reachOf, roundOf, slotsOf } from "./schedule.ts";

const node = (item_type: NodeRef["item_type"], item_id: string): NodeRef => ({ item_type, item_id });
const PLACE: AdPlace = {
  chain: [node(0, "d1"), node(1, "s1"), node(2, "m1"), node(3, "p1"), node(4, PLATFORM_ID)],
  model: "TZH-L1",
  regions: ["510000", "510100"],
};
const OPEN: AdSettings = { on: true, hours: [0, 24], most: 20 };
const AD: Ad = {
  id: "a",
  status: 1,
  startsOn: "2026-11-16",
  endsOn: "2026-11-22",
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  periods: [[0, 1440]],
  priority: 5,
  weight: 1,
  models: [],
  regions: [],
  targets: [node(3, "p1")],
  items: [{ materialId: "x", audit: 1 }],
};
const MONDAY = { from: "2026-11-16", count: 1 };
const slots = (ads: readonly Partial<Ad>[], settings = OPEN, days = MONDAY) =>
  slotsOf(
    ads.map((ad) => ({ ...AD, ...ad })),
    PLACE,
    settings,
    days,
  );
const words = (ads: readonly Partial<Ad>[], settings?: AdSettings) =>
  slots(ads, settings).map(({ from, to, playing, not }) => [
    from,
    to,
    playing.map(({ id }) => id).join(),
    not.map(({ id, why }) => `${id} ${why}`).join(),
  ]);

test.each<[string, Partial<Ad>, ReturnType<typeof reachOf>]>([
  ["by its provider", {}, { by: node(3, "p1") }],
  ["by the nearest of its targets", { targets: [node(4, PLATFORM_ID), node(1, "s1"), node(3, "p1")] }, { by: node(1, "s1") }],
  ["not by another store", { targets: [node(1, "s2")] }, { not: "target" }],
  ["not by an id of another kind", { targets: [node(2, "s1")] }, { not: "target" }],
  ["not another model", { models: ["XY-L1"] }, { not: "model" }],
  ["its model", { models: ["XY-L1", "TZH-L1"] }, { by: node(3, "p1") }],
  ["its city", { regions: ["510100"] }, { by: node(3, "p1") }],
  ["not another city", { regions: ["440100"] }, { not: "region" }],
])("an ad reaches a device: %s", (_, ad, expected) => expect(reachOf({ ...AD, ...ad }, PLACE)).toEqual(expected));

test.each<[string, readonly Partial<Ad>[], (string | number)[][]]>([
  ["all day", [{}], [[0, 1440, "a", ""]]],
  ["paused", [{ status: 0 }], [[0, 1440, "", "a paused"]]],
  ["its only material is not approved", [{ items: [{ materialId: "x", audit: 2 }] }], [[0, 1440, "", "a unapproved"]]],
  [
    "one of two materials is approved",
    [
      {
        items: [
          { materialId: "x", audit: 3 },
          { materialId: "y", audit: 1 },
        ],
      },
    ],
    [[0, 1440, "a", ""]],
  ],
  ["begins tomorrow", [{ startsOn: "2026-11-17" }], [[0, 1440, "", "a before"]]],
  ["ended yesterday", [{ startsOn: "2026-11-01", endsOn: "2026-11-15" }], [[0, 1440, "", "a after"]]],
  ["today is its last day", [{ startsOn: "2026-11-01", endsOn: "2026-11-16" }], [[0, 1440, "a", ""]]],
  ["weekends only", [{ weekdays: [6, 7] }], [[0, 1440, "", "a weekday"]]],
  [
    "noon and evening",
    [
      {
        periods: [
          [660, 780],
          [1_020, 1_200],
        ],
      },
    ],
    [
      [0, 660, "", "a period"],
      [660, 780, "a", ""],
      [780, 1_020, "", "a period"],
      [1_020, 1_200, "a", ""],
      [1_200, 1_440, "", "a period"],
    ],
  ],
  [
    "a higher one has its hour",
    [{ id: "a" }, { id: "b", priority: 8, periods: [[540, 600]] }],
    [
      [0, 540, "a", "b period"],
      [540, 600, "b", "a priority"],
      [600, 1_440, "a", "b period"],
    ],
  ],
  ["two share", [{ id: "b" }, { id: "a" }], [[0, 1440, "a,b", ""]]],
])("what plays: %s", (_, ads, expected) => expect(words(ads)).toEqual(expected));

test("the device's own hours, its switch and the length of a round hold over every ad", () => {
  expect(words([{}], { ...OPEN, hours: [8, 22] })).toEqual([
    [0, 480, "", "a hours"],
    [480, 1_320, "a", ""],
    [1_320, 1_440, "", "a hours"],
  ]);
  expect(words([{}], { ...OPEN, on: false })).toEqual([[0, 1440, "", "a off"]]);
  expect(words([{ id: "a" }, { id: "b", weight: 3 }, { id: "c", weight: 2 }], { ...OPEN, most: 2 })).toEqual([[0, 1440, "b,c", "a most"]]);
});

test("the play-period flag is 1 inside and 0 outside", () => {
  const ad = { startsOn: "2026-11-16", endsOn: "2026-11-22", weekdays: [1, 7], periods: [[540, 600]] as const };
  expect([
    inPeriod(ad, "2026-11-16", 539),
    inPeriod(ad, "2026-11-16", 540),
    inPeriod(ad, "2026-11-16", 599),
    inPeriod(ad, "2026-11-16", 600),
  ]).toEqual([0, 1, 1, 0]);
  expect([inPeriod(ad, "2026-11-22", 550), inPeriod(ad, "2026-11-17", 550), inPeriod(ad, "2026-11-23", 550)]).toEqual([1, 0, 0]);
});

const any = {
  node: fc.constantFrom(node(0, "d1"), node(1, "s1"), node(1, "s2"), node(2, "m1"), node(3, "p1"), node(3, "p2"), node(4, PLATFORM_ID)),
  minute: fc.integer({ min: 0, max: 1_440 }),
};
const period = fc.tuple(any.minute, any.minute).filter(([from, to]) => from < to);
const anyAd = fc.record<Omit<Ad, "id">>({
  status: fc.constantFrom(1, 1, 1, 0),
  startsOn: fc.integer({ min: -3, max: 3 }).map((days) => addDays("2026-11-19", days)),
  endsOn: fc.integer({ min: 3, max: 6 }).map((days) => addDays("2026-11-19", days)),
  weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  periods: fc.array(period, { minLength: 1, maxLength: 3 }),
  priority: fc.integer({ min: 1, max: 3 }),
  weight: fc.integer({ min: 1, max: 10 }),
  models: fc.constantFrom([], [], ["TZH-L1"], ["XY-L1"]),
  regions: fc.constantFrom([], [], ["510100"], ["440100"]),
  targets: fc.uniqueArray(any.node, { minLength: 1, maxLength: 3, selector: ({ item_id }) => item_id }),
  items: fc.array(fc.record({ materialId: fc.constant("x"), audit: fc.constantFrom(0 as const, 1 as const, 1 as const, 3 as const) }), {
    minLength: 1,
    maxLength: 2,
  }),
});
const anyAds = fc.array(anyAd, { maxLength: 6 }).map((ads) => ads.map((ad, at): Ad => ({ ...ad, id: `ad${at}` })));
const anySettings = fc.record<AdSettings>({
  on: fc.constantFrom(true, true, true, false),
  hours: fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 13, max: 24 })),
  most: fc.integer({ min: 1, max: 6 }),
});

/** Slow and obvious: looks at one minute alone. */
function playsAt(ads: readonly Ad[], { on, hours, most }: AdSettings, day: string, minute: number): string[] {
  const hour = Math.floor(minute / 60);
  if (!on || hour < hours[0] || hour >= hours[1]) return [];
  const may = ads.filter(
    (ad) =>
      ad.status === 1 &&
      ad.items.filter(({ audit }) => audit === 1).length > 0 &&
      !(day < ad.startsOn) &&
      !(ad.endsOn < day) &&
      ad.weekdays.indexOf(weekdayOf(day)) >= 0 &&
      ad.periods.filter(([from, to]) => minute >= from && minute <= to - 1).length > 0 &&
      ad.targets.filter(
        (target) =>
          PLACE.chain.filter(({ item_type, item_id }) => `${item_type}${item_id}` === `${target.item_type}${target.item_id}`).length > 0,
      ).length > 0 &&
      (ad.models.length === 0 || ad.models.indexOf("TZH-L1") >= 0) &&
      (ad.regions.length === 0 || ad.regions.indexOf("510100") >= 0),
  );
  const best = may.filter((ad) => may.every((other) => other.priority <= ad.priority));
  // An ad stays where fewer than `most` others come before it.
  return best
    .filter((ad) => best.filter((other) => other.weight > ad.weight || (other.weight === ad.weight && other.id < ad.id)).length < most)
    .map(({ id }) => id)
    .toSorted();
}

test("at any minute of any week the slots say what looking at that minute alone says, and cover it once", () => {
  fc.assert(
    fc.property(anyAds, anySettings, fc.array(any.minute, { minLength: 20, maxLength: 20 }), (ads, settings, minutes) => {
      const found = slotsOf(ads, PLACE, settings, { from: "2026-11-16", count: 7 });
      for (const [at, given] of minutes.entries()) {
        const [day, minute] = [addDays("2026-11-16", at % 7), Math.min(given, 1_439)];
        const there = found.filter((slot) => slot.day === day && slot.from <= minute && minute < slot.to);
        expect(there).toHaveLength(1);
        expect(there[0]?.playing.map(({ id }) => id)).toEqual(playsAt(ads, settings, day, minute));
        // Whatever does not play has its reason.
        expect((there[0]?.playing.length ?? 0) + (there[0]?.not.length ?? 0)).toBe(ads.length);
      }
      expect(found.reduce((all, { from, to }) => all + to - from, 0)).toBe(7 * 1_440);
    }),
    { numRuns: 300 },
  );
});

test("a round shows each as often as its weight says, spread over the round", () => {
  expect(roundOf([])).toEqual([]);
  expect(
    roundOf([
      { id: "a", weight: 2 },
      { id: "b", weight: 1 },
    ]),
  ).toEqual(["a", "b", "a"]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 8 }), (weights) => {
      const ads = weights.map((weight, at) => ({ id: `ad${at}`, weight }));
      const round = roundOf(ads);
      const times = ads.map(({ id }) => round.filter((one) => one === id).length);
      for (const [at, { weight }] of ads.entries()) expect((times[at] ?? 0) * (weights[0] ?? 0)).toBe((times[0] ?? 0) * weight);
      // At any moment of the round each has come about as often as its part of it says.
      for (const [at, { id, weight }] of ads.entries())
        for (let shown = 1; shown <= round.length; shown += 1) {
          const due = (shown * (times[at] ?? 0)) / round.length;
          expect(Math.abs(round.slice(0, shown).filter((one) => one === id).length - due), `${id} of ${weight}`).toBeLessThan(2);
        }
    }),
  );
});
