import { addDays, weekdayOf } from "@zhangfang/contract/time.ts";
import type { NodeRef } from "../../level-config/contract/index.ts";

/** The end of a day, in minutes. */
export const DAY_MINUTES = 1_440;

/** What an ad shows, as far as the schedule asks. */
export interface AdItem {
  readonly materialId: string;
  /** 1 is approved; nothing else plays (domain.md, Status values). */
  readonly audit: 0 | 1 | 2 | 3;
}
/** An ad, as far as the schedule asks. */
export interface Ad {
  readonly id: string;
  readonly status: 0 | 1;
  /** Shanghai days, the last one included. */
  readonly startsOn: string;
  readonly endsOn: string;
  /** 1 Monday to 7 Sunday. */
  readonly weekdays: readonly number[];
  /** Minutes of the day, the second excluded. */
  readonly periods: readonly (readonly [number, number])[];
  /** 1 to 9: the highest that is in its period plays alone. */
  readonly priority: number;
  /** 1 to 10: how often it comes in a round of those of its priority. */
  readonly weight: number;
  /** Models and codes of provinces or cities; empty is all. */
  readonly models: readonly string[];
  readonly regions: readonly string[];
  readonly targets: readonly NodeRef[];
  readonly items: readonly AdItem[];
}
/** Where a device stands. */
export interface AdPlace {
  /** The device first, the platform last. */
  readonly chain: readonly NodeRef[];
  readonly model: string;
  /** Codes of the store's province, city and district. */
  readonly regions: readonly string[];
}
/** What the ad configuration says to a device (contract/config-keys.ts). */
export interface AdSettings {
  readonly on: boolean;
  /** Hours of the day in which anything plays, the second excluded. */
  readonly hours: readonly [number, number];
  /** So many ads in a round at most. */
  readonly most: number;
}

/** Why an ad does not play. */
export type WhyNot =
  | "paused"
  | "unapproved"
  | "before"
  | "after"
  | "weekday"
  | "period"
  | "target"
  | "model"
  | "region"
  | "off"
  | "hours"
  | "priority"
  | "most";
export type Reach = { readonly by: NodeRef } | { readonly not: "target" | "model" | "region" };

/** Whether an ad reaches a device, and by which of its targets: the nearest that the device lies in. */
export function reachOf(ad: Pick<Ad, "targets" | "models" | "regions">, place: AdPlace): Reach {
  const by = place.chain.find((node) =>
    ad.targets.some(({ item_type, item_id }) => item_type === node.item_type && item_id === node.item_id),
  );
  if (!by) return { not: "target" };
  if (ad.models.length > 0 && !ad.models.includes(place.model)) return { not: "model" };
  if (ad.regions.length > 0 && !ad.regions.some((code) => place.regions.includes(code))) return { not: "region" };
  return { by };
}

/** Whether an ad may play at a minute of a Shanghai day, whatever the device; undefined where it may. */
export function whyNotAt(ad: Ad, day: string, minute: number): WhyNot | undefined {
  return whyNotOn(ad, day, weekdayOf(day)) ?? (isIn(ad, minute) ? undefined : "period");
}
/** What keeps it from playing all day. */
function whyNotOn(ad: Ad, day: string, weekday: number): WhyNot | undefined {
  if (ad.status !== 1) return "paused";
  if (!ad.items.some(({ audit }) => audit === 1)) return "unapproved";
  if (day < ad.startsOn) return "before";
  if (day > ad.endsOn) return "after";
  return ad.weekdays.includes(weekday) ? undefined : "weekday";
}
const isIn = ({ periods }: Pick<Ad, "periods">, minute: number): boolean => periods.some(([from, to]) => from <= minute && minute < to);
/** 播放时段标志: 1 inside its days, weekdays and periods, else 0 (spec.md section 3). */
export function inPeriod(ad: Pick<Ad, "startsOn" | "endsOn" | "weekdays" | "periods">, day: string, minute: number): 0 | 1 {
  return whyNotAt({ ...ALWAYS, ...ad }, day, minute) === undefined ? 1 : 0;
}
const ALWAYS: Omit<Ad, "startsOn" | "endsOn" | "weekdays" | "periods"> = {
  id: "",
  status: 1,
  priority: 1,
  weight: 1,
  models: [],
  regions: [],
  targets: [],
  items: [{ materialId: "", audit: 1 }],
};

/** A stretch of a day in which the same ads play on a device. */
export interface Slot {
  readonly day: string;
  readonly from: number;
  readonly to: number;
  /** In the order of their ids, each with the target by which it reaches the device. */
  readonly playing: readonly { readonly id: string; readonly by: NodeRef }[];
  /** Every other ad, and what keeps it from playing here. */
  readonly not: readonly { readonly id: string; readonly why: WhyNot }[];
}

/**
 * What plays on a device, and why, for some days. The device is served from this, and the screens show it.
 * Of those that reach the device and are in their time, the ones of the highest priority play.
 * @param ads any order; those that don't reach the device are named too
 */
export function slotsOf(
  ads: readonly Ad[],
  place: AdPlace,
  settings: AdSettings,
  days: { readonly from: string; readonly count: number },
): Slot[] {
  const known = ads.map((ad) => ({ ad, reach: reachOf(ad, place) })).toSorted((a, b) => (a.ad.id < b.ad.id ? -1 : 1));
  const slots: Slot[] = [];
  const borders = bordersOf(ads, settings);
  for (let at = 0; at < days.count; at += 1) {
    const day = addDays(days.from, at);
    const weekday = weekdayOf(day);
    const today = known.map((one) => ({ ...one, why: "not" in one.reach ? one.reach.not : whyNotOn(one.ad, day, weekday) }));
    for (const [place_, from] of borders.slice(0, -1).entries()) {
      const slot = slotAt(today, settings, day, from, borders[place_ + 1] ?? DAY_MINUTES);
      const last = slots.at(-1);
      // A border of an ad that changes nothing here is none.
      if (last?.day === day && isSame(last, slot)) slots[slots.length - 1] = { ...last, to: slot.to };
      else slots.push(slot);
    }
  }
  return slots;
}
/** Every minute at which anything may begin or end, from 0 to the end of the day. */
function bordersOf(ads: readonly Ad[], { hours }: AdSettings): number[] {
  const all = new Set([0, DAY_MINUTES, hours[0] * 60, hours[1] * 60]);
  for (const { periods } of ads) for (const [from, to] of periods) all.add(from).add(to);
  return [...all].filter((minute) => minute >= 0 && minute <= DAY_MINUTES).toSorted((a, b) => a - b);
}
/** Both name every ad in the order of ids, so that the same ads at the same places for the same reasons are the same. */
const isSame = (a: Slot, b: Slot): boolean =>
  a.playing.length === b.playing.length &&
  a.playing.every(({ id }, at) => id === b.playing[at]?.id) &&
  a.not.every(({ id, why }, at) => id === b.not[at]?.id && why === b.not[at].why);

/**
 * Of ads that reach a device and are in their time: those that play. The highest priority does, and where a round is too long,
 * those with the greater share stay.
 */
export function whoPlays<A extends Pick<Ad, "id" | "priority" | "weight">>(may: readonly A[], most: number): A[] {
  const highest = may.reduce((all, { priority }) => Math.max(all, priority), 0);
  const first = may.filter(({ priority }) => priority === highest);
  if (first.length <= most) return first;
  return first.toSorted((a, b) => b.weight - a.weight || (a.id < b.id ? -1 : 1)).slice(0, most);
}

function slotAt(
  known: readonly { readonly ad: Ad; readonly reach: Reach; readonly why: WhyNot | undefined }[],
  { on, hours, most }: AdSettings,
  day: string,
  from: number,
  to: number,
): Slot {
  const closed: WhyNot | undefined = !on ? "off" : from < hours[0] * 60 || from >= hours[1] * 60 ? "hours" : undefined;
  const whys = known.map(({ ad, why }) => why ?? (isIn(ad, from) ? closed : "period"));
  const may = known.flatMap(({ ad }, at) => (whys[at] === undefined ? [ad] : []));
  const kept = new Set(whoPlays(may, most));
  const [first] = kept;
  const playing: { id: string; by: NodeRef }[] = [];
  const not: { id: string; why: WhyNot }[] = [];
  for (const [at, { ad, reach }] of known.entries()) {
    const why = whys[at];
    if (why) not.push({ id: ad.id, why });
    else if (!kept.has(ad)) not.push({ id: ad.id, why: first && ad.priority < first.priority ? "priority" : "most" });
    else if ("by" in reach) playing.push({ id: ad.id, by: reach.by });
  }
  return { day, from, to, playing, not };
}

/**
 * The order in which ads of one slot are shown, once round: each as often as its weight says against the others, spread evenly.
 * @example roundOf([{ id: "a", weight: 2 }, { id: "b", weight: 1 }]) // ["a", "b", "a"]
 */
export function roundOf(playing: readonly Pick<Ad, "id" | "weight">[]): string[] {
  const shared = playing.reduce((all, { weight }) => gcd(all, weight), 0);
  const left = playing.map(({ id, weight }) => ({ id, weight: weight / shared, credit: 0 }));
  const sum = left.reduce((all, { weight }) => all + weight, 0);
  return Array.from({ length: sum }, () => {
    for (const one of left) one.credit += one.weight;
    const next = left.reduce((best, one) => (one.credit > best.credit ? one : best));
    next.credit -= sum;
    return next.id;
  });
}
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
