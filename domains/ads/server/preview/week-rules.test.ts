import { expect, test } from "vitest";
import { type Ad, type AdPlace, type AdSettings, slotsOf, whyNotAt } from "../../contract/schedule.ts";
import { addDays } from "@zhangfang/contract/time.ts";
import { type Group, weekOf } from "./week-rules.ts";

const FROM = "2026-11-16";
const DAYS = { from: FROM, count: 7 };
/** Numbers that come again: a fault is found at the same seed. */
function dice(seed: number) {
  let state = seed;
  const next = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
  return {
    next,
    one: <T>(of: readonly T[]): T => of[next(of.length)]!,
    some: <T>(of: readonly T[]): T[] => of.filter(() => next(2) === 0),
  };
}
type Device = { readonly place: AdPlace; readonly settings: AdSettings };

function randomWorld(seed: number): { ad: Ad; rivals: Ad[]; devices: Device[] } {
  const { next, one, some } = dice(seed);
  const models = ["TZH-L1", "XY-L1"];
  const settings: AdSettings[] = [
    { on: true, hours: [0, 24], most: 10 },
    { on: true, hours: [8, 22], most: 2 },
    { on: true, hours: [0, 24], most: 1 },
    { on: false, hours: [0, 24], most: 10 },
  ];
  const devices = Array.from({ length: 24 }, (_none, at): Device => {
    const [store, merchant] = [at >> 1, at >> 2];
    return {
      place: {
        chain: [
          { item_type: 0, item_id: `d${at}` },
          { item_type: 1, item_id: `s${store}` },
          { item_type: 2, item_id: `m${merchant}` },
          { item_type: 3, item_id: "p" },
          { item_type: 4, item_id: "all" },
        ],
        model: one(models),
        regions: one([["51", "5101"], ["51", "5107"], ["50"]]),
      },
      settings: next(4) === 0 ? one(settings) : settings[0]!,
    };
  });
  const nodes = devices.flatMap(({ place }) => [...place.chain]);
  const anAd = (id: string): Ad => {
    const from = next(20);
    return {
      id,
      status: next(8) === 0 ? 0 : 1,
      startsOn: addDays(FROM, next(6) - 3),
      endsOn: addDays(FROM, 3 + next(8)),
      weekdays: [1, 2, 3, 4, 5, 6, 7].filter(() => next(3) > 0),
      periods: next(3) === 0 ? [[0, 1_440]] : [[from * 60 + next(4) * 15, from * 60 + 100 + next(3) * 60]],
      priority: 1 + next(4),
      weight: 1 + next(5),
      models: next(3) === 0 ? some(models) : [],
      regions: next(4) === 0 ? [one(["51", "5101", "50"])] : [],
      targets: next(3) === 0 ? [{ item_type: 3, item_id: "p" }] : [one(nodes), one(nodes), one(nodes)],
      items: [{ materialId: "m", audit: 1 }],
    };
  };
  return { ad: { ...anAd("x"), status: 1 }, rivals: Array.from({ length: 1 + next(9) }, (_none, at) => anAd(`r${at}`)), devices };
}

/** Each device by itself, each quarter of an hour, with the ad and without it. */
function slowly(ad: Ad, rivals: readonly Ad[], devices: readonly Device[]) {
  const hours = new Map<string, { plays: number; shared: number; displaced: number; displaces: number; closed: number }>();
  const conflicts = new Map<string, { devices: Set<number>; minutes: number }>();
  for (const [number, { place, settings }] of devices.entries()) {
    const [withIt, without] = [[ad, ...rivals], rivals].map((ads) => slotsOf(ads, place, settings, DAYS)) as [
      ReturnType<typeof slotsOf>,
      ReturnType<typeof slotsOf>,
    ];
    const at = (slots: ReturnType<typeof slotsOf>, day: string, minute: number) =>
      slots.find((slot) => slot.day === day && slot.from <= minute && minute < slot.to)!;
    for (let day = 0; day < 7; day += 1)
      for (let minute = 0; minute < 1_440; minute += 5) {
        const date = addDays(FROM, day);
        const [now, before] = [at(withIt, date, minute), at(without, date, minute)];
        if (whyNotAt(ad, date, minute) !== undefined) continue;
        const why = now.not.find(({ id }) => id === ad.id)?.why;
        if (why === "target" || why === "model" || why === "region") continue;
        const name = `${date} ${Math.floor(minute / 60)}`;
        const hour = hours.get(name) ?? { plays: 0, shared: 0, displaced: 0, displaces: 0, closed: 0 };
        hours.set(name, hour);
        const meet = (id: string, kind: string): void => {
          const known = conflicts.get(`${kind} ${id}`) ?? { devices: new Set(), minutes: 0 };
          known.devices.add(number);
          known.minutes += 5;
          conflicts.set(`${kind} ${id}`, known);
        };
        const others = now.playing.filter(({ id }) => id !== ad.id).map(({ id }) => rivals.find((one) => one.id === id)!);
        if (why === undefined) {
          hour.plays += 5;
          hour.shared += (5 * ad.weight) / others.reduce((sum, { weight }) => sum + weight, ad.weight);
          for (const { id } of others) meet(id, "shares");
        } else if (why === "off" || why === "hours") hour.closed += 5;
        else {
          hour.displaced += 5;
          for (const { id } of others) meet(id, "displaced_by");
        }
        const gone = before.playing.filter(({ id }) => !now.playing.some((one) => one.id === id));
        if (gone.length > 0) hour.displaces += 5;
        for (const { id } of gone) meet(id, "displaces");
      }
  }
  return { hours, conflicts };
}

test.each(Array.from({ length: 25 }, (_none, seed) => seed + 1))(
  "world %i: what groups say is what each device by itself does, minute by minute",
  (seed) => {
    const { ad, rivals, devices } = randomWorld(seed);
    const groups: Group[] = devices.map((device) => ({ ...device, devices: 1 }));
    const week = weekOf(ad, rivals, groups, DAYS);
    const slow = slowly(ad, rivals, devices);
    const near = (value: number) => Math.round(value * 1_000) / 1_000;
    const reached = devices.filter(({ place }) =>
      slotsOf([ad], place, { on: true, hours: [0, 24], most: 1 }, DAYS).every(
        (slot) => !slot.not.some(({ why }) => ["target", "model", "region"].includes(why)),
      ),
    );
    expect(week.devices).toBe(reached.length);
    const asked = Object.fromEntries(
      week.hours.map(({ day, hour, plays, shared, displaced, displaces, closed }) => [
        `${day} ${hour}`,
        { plays, shared: near(shared), displaced, displaces, closed },
      ]),
    );
    const expected = Object.fromEntries([...slow.hours].map(([name, hour]) => [name, { ...hour, shared: near(hour.shared) }]));
    expect(reached.length === 0 ? {} : asked).toEqual(expected);
    expect(Object.fromEntries(week.conflicts.map((one) => [`${one.kind} ${one.ad}`, [one.devices, one.deviceMinutes]]))).toEqual(
      Object.fromEntries([...slow.conflicts].map(([name, { devices: on, minutes }]) => [name, [on.size, minutes]])),
    );
  },
);
