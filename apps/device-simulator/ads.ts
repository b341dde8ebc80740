import { randomUUID } from "node:crypto";
import { type Label, sign } from "./sign.ts";

interface Item {
  readonly ad_id: string;
  readonly material_id: string;
  readonly seconds: number;
}
interface Schedule {
  readonly tag: string;
  readonly items: readonly Item[];
  readonly slots: readonly { readonly day: string; readonly from: number; readonly to: number; readonly round: readonly number[] }[];
}
interface Play {
  readonly play_id: string;
  readonly ad_id: string;
  readonly material_id: string;
  readonly started_at: string;
  readonly ms: number;
  readonly finished: boolean;
}
/** What a device shows of its ads. */
export interface ShownAds {
  readonly tag: string | undefined;
  /** On the screen now. */
  readonly playing: Pick<Item, "ad_id" | "material_id"> | null;
  /** What the round of this minute holds. */
  readonly round: readonly string[];
  readonly played: number;
  /** Plays that the server has not heard of yet. */
  readonly untold: number;
  readonly refused: number;
  readonly said: string;
}

const WAIT_S = 25;
const AGAIN_MS = 3_000;
const REPORT_MS = 10_000;
const REPORT_MOST = 500;
/** More than a day of pictures; the oldest are forgotten first. */
const KEPT = 20_000;
const IDLE_MS = 1_000;

/**
 * Takes the week of ads, plays the round of the minute and tells what it showed. While the server is away it plays on and keeps
 * what it has to tell, under the same numbers.
 * @param speed how much faster than a real device it turns its pictures
 */
export function runAds(
  api: string,
  label: Label,
  { speed, signal }: { readonly speed: number; readonly signal: AbortSignal },
): () => ShownAds {
  let schedule: Schedule | undefined;
  let changed = new AbortController();
  let playing: Item | null = null;
  let untold: Play[] = [];
  let [played, refused, said] = [0, 0, "启动中"];
  const take = async (): Promise<void> => {
    const taken = await takeSchedule(api, label, schedule?.tag, signal);
    said = taken ? "已更新" : "未变";
    if (!taken) return;
    schedule = taken;
    // What is shown no longer stops at once.
    changed.abort();
    changed = new AbortController();
  };
  const show = async (item: Item): Promise<void> => {
    playing = item;
    const started_ms = Date.now();
    const finished = await pause((item.seconds * 1_000) / speed, AbortSignal.any([signal, changed.signal]));
    const whole_ms = Math.round(item.seconds * 1_000);
    const ms = finished ? whole_ms : Math.min(Date.now() - started_ms, whole_ms);
    playing = null;
    played += 1;
    const { ad_id, material_id } = item;
    untold.push({ play_id: randomUUID(), ad_id, material_id, started_at: new Date(started_ms).toISOString(), ms, finished });
    untold = untold.slice(-KEPT);
  };
  const play = async (): Promise<void> => {
    const round = roundNow(schedule);
    const known = changed;
    for (const item of round) {
      await show(item);
      // Another week, or another stretch of the day: the round begins anew.
      if (changed !== known || signal.aborted || !sameRound(round, roundNow(schedule))) return;
    }
    if (round.length === 0) await pause(IDLE_MS, AbortSignal.any([signal, changed.signal]));
  };
  const tell = async (): Promise<void> => {
    const telling = untold.slice(0, REPORT_MOST);
    if (telling.length > 0) refused += await tellPlays(api, label, telling, signal);
    untold = untold.filter((one) => !telling.includes(one));
    if (untold.length < REPORT_MOST) await pause(REPORT_MS, signal);
  };
  for (const step of [take, play, tell]) void keepOn(step, signal, (failure) => (said = failure));
  return () => ({
    tag: schedule?.tag,
    playing: playing && { ad_id: playing.ad_id, material_id: playing.material_id },
    round: roundNow(schedule).map(({ ad_id }) => ad_id),
    played,
    untold: untold.length,
    refused,
    said,
  });
}

/** Does a step again and again; after a failure not at once. */
async function keepOn(step: () => Promise<void>, signal: AbortSignal, say: (failure: string) => void): Promise<void> {
  while (!signal.aborted) {
    try {
      await step();
    } catch (failure) {
      say(String(failure));
      await pause(AGAIN_MS, signal);
    }
  }
}
/** Whether the time passed without anybody ending it. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const ended = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", ended);
      resolve(true);
    }, ms);
    if (signal.aborted) ended();
    else signal.addEventListener("abort", ended, { once: true });
  });
}

/** What plays at this minute of the Shanghai day. */
function roundNow(schedule: Schedule | undefined): readonly Item[] {
  const now = new Date(Date.now() + 8 * 3_600_000);
  const [day, minute] = [now.toISOString().slice(0, 10), now.getUTCHours() * 60 + now.getUTCMinutes()];
  const slot = schedule?.slots.find((one) => one.day === day && one.from <= minute && minute < one.to);
  return slot?.round.flatMap((at) => schedule?.items[at] ?? []) ?? [];
}
const sameRound = (a: readonly Item[], b: readonly Item[]): boolean => a.length === b.length && a.every((item, at) => item === b[at]);

/** The week, where it is another one than is known. */
async function takeSchedule(api: string, label: Label, tag: string | undefined, signal: AbortSignal): Promise<Schedule | undefined> {
  const url = `/api/device/ads?wait=${WAIT_S}`;
  const headers = { ...sign(label, "GET", url), ...(tag && { "if-none-match": `"${tag}"` }) };
  const answer = await fetch(`${api}${url}`, { headers, signal });
  if (answer.status === 304) return undefined;
  if (!answer.ok) throw new Error(`应答 ${answer.status}`);
  return (await answer.json()) as Schedule;
}
/** @returns how many the server will never take */
async function tellPlays(api: string, label: Label, plays: readonly Play[], signal: AbortSignal): Promise<number> {
  const url = "/api/device/ad-plays";
  const body = JSON.stringify({ plays });
  const headers = { ...sign(label, "POST", url, body), "content-type": "application/json" };
  const answer = await fetch(`${api}${url}`, { method: "POST", headers, body, signal });
  if (!answer.ok) throw new Error(`应答 ${answer.status}`);
  return ((await answer.json()) as { refused: unknown[] }).refused.length;
}
