import { runAds, type ShownAds } from "./ads.ts";
import { type Label, sign } from "./sign.ts";

/** What a running device knows. */
export interface Shown extends Pick<Label, "sn"> {
  readonly tag: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  readonly device: Readonly<Record<string, unknown>>;
  /** When its configuration changed last, ISO. */
  readonly changedAt: string | undefined;
  /** What the last call ended in. */
  readonly said: string;
  readonly ads?: ShownAds;
}
const WAIT_S = 25;
const AGAIN_MS = 3_000;
const HEARTBEAT_MS = 60_000;

/**
 * A device that says once a minute that it is there, waits for its configuration, takes over every change and plays its ads.
 * @param speed how much faster than a real device it turns the pictures of its ads
 */
export function runDevice(api: string, label: Label, speed: number): { shown(): Shown; stop(): void } {
  const stopping = new AbortController();
  let shown: Shown = { sn: label.sn, tag: undefined, values: {}, device: {}, changedAt: undefined, said: "启动中" };
  const live = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        shown = await takeConfig(api, label, shown, stopping.signal);
      } catch (failure) {
        shown = { ...shown, said: String(failure) };
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  const beat = (): void =>
    void heartbeat(api, label, stopping.signal).catch((failure: unknown) => (shown = { ...shown, said: String(failure) }));
  const beating = setInterval(beat, HEARTBEAT_MS);
  beat();
  void live();
  const ads = runAds(api, label, { speed, signal: stopping.signal });
  const stop = (): void => {
    clearInterval(beating);
    stopping.abort();
  };
  return { shown: () => ({ ...shown, ads: ads() }), stop };
}

/** One conditional GET: the server answers when the configuration is another one, or after the wait. */
async function takeConfig(api: string, label: Label, before: Shown, signal: AbortSignal): Promise<Shown> {
  const url = `/api/device/config?wait=${WAIT_S}`;
  const headers = { ...sign(label, "GET", url), ...(before.tag && { "if-none-match": `"${before.tag}"` }) };
  const answer = await fetch(`${api}${url}`, { headers, signal });
  if (answer.status === 304) return { ...before, said: "未变" };
  if (!answer.ok) throw new Error(`应答 ${answer.status}`);
  const { tag, values, device } = (await answer.json()) as Pick<Shown, "values" | "device"> & { tag: string };
  return { sn: label.sn, tag, values, device, changedAt: new Date().toISOString(), said: "已更新" };
}

async function heartbeat(api: string, label: Label, signal: AbortSignal): Promise<void> {
  const url = "/api/till/heartbeat";
  const body = JSON.stringify({ version: "2.4.1" });
  const headers = { ...sign(label, "POST", url, body), "content-type": "application/json" };
  const answer = await fetch(`${api}${url}`, { method: "POST", headers, body, signal });
  if (!answer.ok) throw new Error(`应答 ${answer.status}`);
}
