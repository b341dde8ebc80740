import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { CLOCK_MS } from "../../../devices/server/index.ts";
import { DAYS_AHEAD } from "../../contract/device-side.ts";
import { type Ad, type AdPlace, slotsOf } from "../../contract/schedule.ts";
import { couldPlay, type Enabled } from "./play-rules.ts";

const DEVICE = { item_type: 0, item_id: "device" } as const;
const STORE = { item_type: 1, item_id: "store" } as const;
const PLACE: AdPlace = { chain: [DEVICE, STORE], model: "A", regions: ["51", "5101"] };
const FROM = "2026-11-16";
const at = (day: string, minute: number): number => Date.parse(dayStart(day)) + minute * 60_000;
const shown = (started_ms: number, material_id = "m") => ({ material_id, day: shanghaiDay(started_ms), started_ms });
const period = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 300 }))
  .map(([from, length]) => [from, Math.min(1_440, from + length)] as const);
const anyAd: fc.Arbitrary<Ad> = fc.record({
  id: fc.constant("ad"),
  status: fc.constant(1 as const),
  startsOn: fc.integer({ min: -3, max: 5 }).map((days) => addDays(FROM, days)),
  endsOn: fc.integer({ min: 5, max: 9 }).map((days) => addDays(FROM, days)),
  weekdays: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  periods: fc.array(period, { minLength: 1, maxLength: 3 }),
  priority: fc.constant(3),
  weight: fc.constant(1),
  models: fc.constantFrom([], ["A"], ["B"]),
  regions: fc.constantFrom([], ["51"], ["44"]),
  targets: fc.constantFrom([DEVICE], [STORE], [{ item_type: 1 as const, item_id: "other" }]),
  items: fc.constant([{ materialId: "m", audit: 1 as const }]),
});
const enabled = (ad: Ad, more: Partial<Enabled> = {}): Enabled => ({ ...ad, materials: ["m"], since: null, until: null, ...more });

test("whatever a device is served for a week, however long it is told of that and with a clock that is off, could have been shown", () => {
  fc.assert(
    fc.property(anyAd, fc.nat(), fc.integer({ min: -CLOCK_MS, max: CLOCK_MS - 1 }), (ad, pick, off_ms) => {
      const served = slotsOf([ad], PLACE, { on: true, hours: [0, 24], most: 10 }, { from: FROM, count: DAYS_AHEAD });
      const playing = served.filter((slot) => slot.playing.length > 0);
      const slot = playing[pick % Math.max(1, playing.length)];
      if (!slot) return;
      const minute = slot.from + (pick % (slot.to - slot.from));
      // Paused right after the device had asked.
      const was = enabled(ad, { since: new Date(at(FROM, 0)).toISOString(), until: new Date(at(FROM, 0)).toISOString() });
      expect(couldPlay(was, PLACE, shown(at(slot.day, minute) + off_ms))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("what it is never served by more than its clock may be off could not", () => {
  const ad = enabled({
    id: "ad",
    status: 1,
    startsOn: FROM,
    endsOn: addDays(FROM, 6),
    weekdays: [1, 2],
    periods: [[540, 600]],
    priority: 3,
    weight: 1,
    models: [],
    regions: [],
    targets: [STORE],
    items: [],
  });
  const could = (day: string, minute: number, more: Partial<Enabled> = {}, place = PLACE, material_id = "m") =>
    couldPlay({ ...ad, ...more }, place, shown(at(day, minute), material_id));
  expect([534, 535, 604, 605].map((minute) => could(FROM, minute))).toEqual([false, true, true, false]);
  expect([addDays(FROM, -7), addDays(FROM, 1), addDays(FROM, 2), addDays(FROM, 7)].map((day) => could(day, 560))).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(could(FROM, 560, {}, PLACE, "another")).toBe(false);
  expect(could(FROM, 560, {}, { ...PLACE, chain: [DEVICE] })).toBe(false);
  const since = new Date(at(FROM, 570)).toISOString();
  expect([564, 565].map((minute) => could(FROM, minute, { since }))).toEqual([false, true]);
  const until = new Date(at(addDays(FROM, -6), 570)).toISOString();
  expect([could(addDays(FROM, 1), 569, { until }), could(addDays(FROM, 1), 576, { until })]).toEqual([true, false]);
  // A day that begins or ends at midnight is as far off as the clock.
  expect([could(addDays(FROM, 2), 3, { periods: [[1_380, 1_440]] }), could(addDays(FROM, -1), 1_437, { periods: [[0, 60]] })]).toEqual([
    true,
    true,
  ]);
});
