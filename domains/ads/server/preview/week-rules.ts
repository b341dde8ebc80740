import { type Ad, type AdPlace, type AdSettings, DAY_MINUTES, reachOf, type Slot, slotsOf, whyNotAt } from "../../contract/schedule.ts";
import type { ItemType } from "../../../level-config/contract/index.ts";

/** Devices that no ad and no setting tells apart. */
export interface Group {
  readonly place: AdPlace;
  readonly settings: AdSettings;
  readonly devices: number;
}
export interface Days {
  readonly from: string;
  readonly count: number;
}
/** An hour of a day, in minutes of devices. */
export interface Hour {
  readonly day: string;
  readonly hour: number;
  /** Minutes in which the ad is in its period, once for all devices. */
  minutes: number;
  plays: number;
  /** What it plays, weighed with its share of the round. */
  shared: number;
  displaced: number;
  displaces: number;
  closed: number;
}
export type ConflictKind = "displaced_by" | "displaces" | "shares";
export interface Conflict {
  readonly ad: string;
  readonly kind: ConflictKind;
  devices: number;
  deviceMinutes: number;
}
export interface Week {
  readonly devices: number;
  readonly byLevel: ReadonlyMap<ItemType, number>;
  readonly byModel: ReadonlyMap<string, number>;
  /** Devices that show no ads. */
  readonly off: number;
  readonly hours: readonly Hour[];
  readonly conflicts: readonly Conflict[];
}

/**
 * What an ad would do on groups of devices for some days. Each group asks the schedule itself; groups that the same rivals reach
 * under the same settings are asked once.
 * @param ad as if it were enabled and approved
 * @param rivals every other ad that may meet it
 */
export function weekOf(ad: Ad, rivals: readonly Ad[], groups: readonly Group[], days: Days): Week {
  const meeting = rivals.filter((rival) => mayMeet(ad, rival, days)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const near = rivalsAt(meeting);
  const byLevel = new Map<ItemType, number>();
  const byModel = new Map<string, number>();
  const alike = new Map<string, { place: AdPlace; settings: AdSettings; ads: readonly Ad[]; devices: number }>();
  let [devices, off] = [0, 0];
  for (const { place, settings, devices: count } of groups) {
    const reach = reachOf(ad, place);
    if ("not" in reach) continue;
    devices += count;
    if (!settings.on) off += count;
    byLevel.set(reach.by.item_type, (byLevel.get(reach.by.item_type) ?? 0) + count);
    byModel.set(place.model, (byModel.get(place.model) ?? 0) + count);
    const ads = near(place);
    const name = JSON.stringify([settings, ads]);
    const known = alike.get(name);
    if (known) known.devices += count;
    else alike.set(name, { place, settings, ads: ads.flatMap((at) => meeting[at] ?? []), devices: count });
  }
  const sums = sumsOf(ad, days);
  for (const one of alike.values()) for (const slot of slotsOf([ad, ...one.ads], one.place, one.settings, days)) sums.add(slot, one);
  return { devices, byLevel, byModel, off, hours: sums.hours(), conflicts: sums.conflicts() };
}
/** Which of some ads reach a place, by their positions: only those are looked at that one of its nodes is a target of. */
function rivalsAt(ads: readonly Ad[]): (place: AdPlace) => readonly number[] {
  const nameOf = ({ item_type, item_id }: Ad["targets"][number]): string => `${item_type}:${item_id}`;
  const entries = ads.flatMap(({ targets, models, regions }, at) => targets.map((node) => ({ at, targets: [node], models, regions })));
  const byNode = Map.groupBy(entries, ({ targets: [node] }) => (node ? nameOf(node) : ""));
  return (place) => {
    const found = new Set<number>();
    for (const node of place.chain)
      for (const one of byNode.get(nameOf(node)) ?? []) if (!found.has(one.at) && "by" in reachOf(one, place)) found.add(one.at);
    return [...found].toSorted((a, b) => a - b);
  };
}
/** Whether two ads are ever in their time together. */
function mayMeet(ad: Ad, rival: Ad, days: Days): boolean {
  if (rival.endsOn < days.from || rival.startsOn > ad.endsOn || rival.endsOn < ad.startsOn) return false;
  if (!rival.weekdays.some((weekday) => ad.weekdays.includes(weekday))) return false;
  return rival.periods.some(([from, to]) => ad.periods.some(([start, end]) => from < end && start < to));
}

/** Adds slots up, hour by hour and rival by rival. */
function sumsOf(ad: Ad, days: Days) {
  const hours = new Map<string, Hour>();
  const conflicts = new Map<string, Conflict & { seen: Set<object> }>();
  const hourAt = (day: string, hour: number): Hour => {
    const name = `${day} ${hour}`;
    const known = hours.get(name) ?? { day, hour, minutes: 0, plays: 0, shared: 0, displaced: 0, displaces: 0, closed: 0 };
    hours.set(name, known);
    return known;
  };
  for (const slot of slotsOf([ad], { chain: [], model: "", regions: [] }, ALWAYS, days))
    for (const [from, to] of piecesOf(slot, ad.periods))
      if (whyNotAt(ad, slot.day, from) === undefined) hourAt(slot.day, Math.floor(from / 60)).minutes += to - from;
  const count = (rival: string, kind: ConflictKind, group: { readonly devices: number }, minutes: number): void => {
    const known = conflicts.get(`${kind} ${rival}`) ?? { ad: rival, kind, devices: 0, deviceMinutes: 0, seen: new Set() };
    if (!known.seen.has(group)) known.devices += group.devices;
    known.seen.add(group);
    known.deviceMinutes += minutes * group.devices;
    conflicts.set(`${kind} ${rival}`, known);
  };
  return {
    add(slot: Slot, group: { readonly ads: readonly Ad[]; readonly settings: AdSettings; readonly devices: number }): void {
      const why = slot.not.find(({ id }) => id === ad.id)?.why;
      const plays = why === undefined;
      if (!plays && !STOPPED.has(why)) return;
      const others = slot.playing.flatMap(({ id }) => group.ads.find((one) => one.id === id) ?? []);
      const round = others.reduce((sum, { weight }) => sum + weight, 0);
      const gone = plays ? displacedIn(slot, ad, others, group) : [];
      for (const [from, to] of piecesOf(slot)) {
        const hour = hourAt(slot.day, Math.floor(from / 60));
        const deviceMinutes = (to - from) * group.devices;
        if (plays) {
          hour.plays += deviceMinutes;
          hour.shared += deviceMinutes * (ad.weight / (ad.weight + round));
        } else if (why === "off" || why === "hours") hour.closed += deviceMinutes;
        else hour.displaced += deviceMinutes;
        if (gone.length > 0) hour.displaces += deviceMinutes;
      }
      const minutes = slot.to - slot.from;
      if (plays) for (const { id } of others) count(id, "shares", group, minutes);
      else if (why === "priority" || why === "most") for (const { id } of others) count(id, "displaced_by", group, minutes);
      for (const id of gone) count(id, "displaces", group, minutes);
    },
    hours: () => [...hours.values()].filter(({ minutes }) => minutes > 0),
    conflicts: () => [...conflicts.values()].map(({ seen: _seen, ...conflict }) => conflict),
  };
}
/** What keeps an ad from playing where it is in its period. */
const STOPPED: ReadonlySet<string> = new Set(["off", "hours", "priority", "most"]);
const ALWAYS: AdSettings = { on: true, hours: [0, 24], most: 1 };

/** Who would play in a slot if the ad did not, and does not. */
function displacedIn(
  slot: Slot,
  ad: Ad,
  others: readonly Ad[],
  { ads, settings }: { readonly ads: readonly Ad[]; readonly settings: AdSettings },
): string[] {
  const waiting = slot.not.flatMap(({ id, why }) => {
    const one = why === "priority" || why === "most" ? ads.find((rival) => rival.id === id) : undefined;
    return one ? [one] : [];
  });
  // Beside others of its priority it takes one place of the round at most; alone it stands before all that are next.
  const tier = others.length > 0 ? ad.priority : Math.max(...waiting.map(({ priority }) => priority));
  return waiting
    .filter(({ priority }) => priority === tier)
    .toSorted((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1))
    .slice(0, others.length > 0 ? 1 : settings.most)
    .map(({ id }) => id);
}

/** A slot cut at full hours, and at the borders of periods where they are given. */
function piecesOf({ from, to }: Pick<Slot, "from" | "to">, periods: Ad["periods"] = []): (readonly [number, number])[] {
  const borders = new Set([from, to, ...periods.flat().filter((minute) => from < minute && minute < to)]);
  for (let minute = Math.ceil((from + 1) / 60) * 60; minute < Math.min(to, DAY_MINUTES); minute += 60) borders.add(minute);
  const sorted = [...borders].toSorted((a, b) => a - b);
  return sorted.slice(0, -1).map((minute, at) => [minute, sorted[at + 1] ?? to] as const);
}
