import { type Ad, type AdPlace, type AdSettings, reachOf } from "../../contract/schedule.ts";
import type { ItemType } from "../../../level-config/contract/index.ts";
import { type Alike, type Conflict, type Days, type Hour, stretchesOf, sumsOf } from "./week-sums.ts";

/** Devices that no ad and no setting tells apart. */
export interface Group {
  readonly place: AdPlace;
  readonly settings: AdSettings;
  readonly devices: number;
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
 * What an ad would do on groups of devices for some days. The days are cut once, for all of them, where anything begins or ends;
 * of each piece it is asked once for all groups who is in their time, and of each group once who reaches it. Who then plays is
 * asked once for each set of rivals that meet somewhere.
 * @param ad as if it were enabled and approved
 * @param rivals every other ad that may meet it
 */
export function weekOf(ad: Ad, rivals: readonly Ad[], groups: readonly Group[], days: Days): Week {
  const meeting = rivals.filter((rival) => mayMeet(ad, rival, days)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const near = rivalsAt(meeting);
  const byLevel = new Map<ItemType, number>();
  const byModel = new Map<string, number>();
  const alike = new Map<string, Alike>();
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
    else alike.set(name, { settings, rivals: ads, devices: count });
  }
  const sums = sumsOf(ad, meeting, stretchesOf(ad, meeting, days));
  for (const one of alike.values()) sums.add(one);
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
