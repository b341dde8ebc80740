import { addDays } from "@zhangfang/contract/time.ts";
import { type Ad, type AdSettings, whoPlays, whyNotAt } from "../../contract/schedule.ts";

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
type ConflictKind = "displaced_by" | "displaces" | "shares";
export interface Conflict {
  readonly ad: string;
  readonly kind: ConflictKind;
  devices: number;
  deviceMinutes: number;
}
/** Devices that the same rivals reach under the same settings; rivals by their positions. */
export interface Alike {
  readonly settings: AdSettings;
  readonly rivals: readonly number[];
  devices: number;
}
/** All the time in which the same ads are in theirs, by hours. */
interface Stretch {
  readonly active: Uint8Array;
  readonly hours: { readonly day: string; readonly hour: number; readonly minutes: number }[];
}
/** The ad's own time, cut where anything begins or ends and at full hours. */
export function stretchesOf(ad: Ad, rivals: readonly Ad[], { from, count }: Days): Stretch[] {
  const borders = new Set(Array.from({ length: 25 }, (_none, hour) => hour * 60));
  for (const one of [ad, ...rivals]) for (const minute of one.periods.flat()) borders.add(minute);
  const sorted = [...borders].toSorted((a, b) => a - b);
  const found = new Map<string, Stretch>();
  for (let at = 0; at < count; at += 1) {
    const day = addDays(from, at);
    for (const [place, minute] of sorted.slice(0, -1).entries()) {
      if (whyNotAt(ad, day, minute) !== undefined) continue;
      const active = Uint8Array.from(rivals, (rival) => (whyNotAt(rival, day, minute) === undefined ? 1 : 0));
      const name = active.join("");
      const stretch = found.get(name) ?? { active, hours: [] };
      found.set(name, stretch);
      stretch.hours.push({ day, hour: Math.floor(minute / 60), minutes: (sorted[place + 1] ?? minute) - minute });
    }
  }
  return [...found.values()];
}

/** What becomes of the ad among some rivals, whatever the hour. */
interface Outcome {
  readonly plays: boolean;
  readonly share: number;
  /** Those that play with it or instead of it, and those that would play without it. */
  readonly others: readonly number[];
  readonly gone: readonly number[];
}
/** Remembers what it was asked: the same rivals meet in many places. */
function outcomes(ad: Ad, meeting: readonly Ad[]): (rivals: readonly number[], most: number) => Outcome {
  const own = { at: -1, id: ad.id, priority: ad.priority, weight: ad.weight };
  const all = meeting.map(({ id, priority, weight }, at) => ({ at, id, priority, weight }));
  const known = new Map<string, Outcome>();
  return (rivals, most) => {
    const name = `${most}:${rivals.join()}`;
    const before = known.get(name);
    if (before) return before;
    const may = rivals.flatMap((at) => all[at] ?? []);
    const playing = whoPlays([own, ...may], most);
    const others = playing.filter((one) => one !== own);
    const plays = others.length < playing.length;
    const outcome = {
      plays,
      share: plays ? ad.weight / playing.reduce((sum, { weight }) => sum + weight, 0) : 0,
      others: others.map(({ at }) => at),
      gone: plays ? whoPlays(may, most).flatMap((one) => (playing.includes(one) ? [] : [one.at])) : [],
    };
    known.set(name, outcome);
    return outcome;
  };
}

/** Adds up, hour by hour and rival by rival. */
export function sumsOf(ad: Ad, meeting: readonly Ad[], stretches: readonly Stretch[]) {
  const outcomeOf = outcomes(ad, meeting);
  const open = openTimes(stretches);
  const conflicts = new Map<string, Conflict>();
  /** By settings and stretch: devices that play, what they share, and so on. */
  const tallies = new Map<string, { readonly settings: AdSettings; readonly of: Tally[] }>();
  const count = (met: Map<string, number>, rivals: readonly number[], kind: ConflictKind, minutes: number): void => {
    for (const at of rivals) met.set(`${kind} ${at}`, (met.get(`${kind} ${at}`) ?? 0) + minutes);
  };
  return {
    add({ settings, rivals, devices }: Alike): void {
      const name = JSON.stringify(settings);
      const tally = tallies.get(name) ?? {
        settings,
        of: stretches.map(() => ({ all: 0, plays: 0, shared: 0, displaced: 0, displaces: 0 })),
      };
      tallies.set(name, tally);
      const met = new Map<string, number>();
      const times = open(settings);
      for (const [at, { active }] of stretches.entries()) {
        const outcome = outcomeOf(
          rivals.filter((rival) => active[rival] === 1),
          settings.most,
        );
        const own = tally.of[at];
        const minutes = times[at] ?? 0;
        if (!own) continue;
        own.all += devices;
        if (outcome.plays) own.plays += devices;
        else own.displaced += devices;
        own.shared += devices * outcome.share;
        if (outcome.gone.length > 0) own.displaces += devices;
        if (minutes === 0) continue;
        count(met, outcome.others, outcome.plays ? "shares" : "displaced_by", minutes);
        count(met, outcome.gone, "displaces", minutes);
      }
      for (const [what, minutes] of met) {
        const [kind, at] = what.split(" ") as [ConflictKind, string];
        const known = conflicts.get(what) ?? { ad: meeting[Number(at)]?.id ?? "", kind, devices: 0, deviceMinutes: 0 };
        known.devices += devices;
        known.deviceMinutes += minutes * devices;
        conflicts.set(what, known);
      }
    },
    hours: () => hoursOf(stretches, [...tallies.values()]),
    conflicts: () => [...conflicts.values()],
  };
}
/** Devices, in one stretch. */
interface Tally {
  all: number;
  plays: number;
  shared: number;
  displaced: number;
  displaces: number;
}
const isOpen = ({ on, hours }: AdSettings, hour: number): boolean => on && hours[0] <= hour && hour < hours[1];
/** How many minutes of each stretch ads are shown at all, by settings. */
function openTimes(stretches: readonly Stretch[]): (settings: AdSettings) => readonly number[] {
  const known = new Map<string, number[]>();
  return (settings) => {
    const name = JSON.stringify([settings.on, settings.hours]);
    const times =
      known.get(name) ??
      stretches.map(({ hours }) => hours.reduce((sum, { hour, minutes }) => sum + (isOpen(settings, hour) ? minutes : 0), 0));
    known.set(name, times);
    return times;
  };
}
function hoursOf(
  stretches: readonly Stretch[],
  tallies: readonly { readonly settings: AdSettings; readonly of: readonly Tally[] }[],
): Hour[] {
  const found = new Map<string, Hour>();
  for (const [at, stretch] of stretches.entries())
    for (const { day, hour, minutes } of stretch.hours) {
      const name = `${day} ${String(hour).padStart(2, "0")}`;
      const own = found.get(name) ?? { day, hour, minutes: 0, plays: 0, shared: 0, displaced: 0, displaces: 0, closed: 0 };
      found.set(name, own);
      own.minutes += minutes;
      for (const { settings, of } of tallies) {
        const tally = of[at];
        if (!tally) continue;
        if (!isOpen(settings, hour)) own.closed += minutes * tally.all;
        else for (const key of ["plays", "shared", "displaced", "displaces"] as const) own[key] += minutes * tally[key];
      }
    }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, hour]) => hour);
}
