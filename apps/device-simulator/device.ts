import { runAds, type ShownAds } from "./ads.ts";
import { drawScreen } from "./screen.ts";
import { type Label, sign } from "./sign.ts";

/** What a running device knows. */
export interface Shown extends Pick<Label, "sn"> {
  readonly tag: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
  readonly device: Readonly<Record<string, unknown>>;
  /** When its configuration changed last, ISO. */
  readonly changedAt: string | undefined;
  /** The highest number of a command that it has done: it does none twice. */
  readonly done: number;
  readonly restarts: number;
  /** What the last call ended in. */
  readonly said: string;
  readonly ads?: ShownAds;
}
interface Command {
  readonly number: number;
  readonly kind: string;
}
const WAIT_S = 25;
const AGAIN_MS = 3_000;
const HEARTBEAT_MS = 60_000;
const LOG_LINES = 200;
const STORAGE_MB = { storageTotalMb: 8_192, storageFreeMb: 5_120 };

/**
 * A device that says once a minute that it is there, waits for its configuration, takes over every change, does what it is told and
 * plays its ads.
 * @param speed how much faster than a real device it turns the pictures of its ads
 */
export function runDevice(api: string, label: Label, speed: number): { shown(): Shown; stop(): void } {
  const stopping = new AbortController();
  const log: string[] = [];
  let shown: Shown = { sn: label.sn, tag: undefined, values: {}, device: {}, changedAt: undefined, done: 0, restarts: 0, said: "启动中" };
  const say = (said: string): void => {
    shown = { ...shown, said };
    log.push(`${new Date().toISOString()} ${said}`);
    log.splice(0, log.length - LOG_LINES);
  };
  const send = async (url: string, body: object): Promise<void> => {
    const text = JSON.stringify(body);
    const headers = { ...sign(label, "POST", url, text), "content-type": "application/json" };
    const answer = await fetch(`${api}${url}`, { method: "POST", headers, body: text, signal: stopping.signal });
    if (!answer.ok) throw new Error(`应答 ${answer.status}`);
  };
  const perform = async ({ number, kind }: Command): Promise<void> => {
    // Heard of again: the report of it was lost.
    if (number <= shown.done) return send("/api/device/commands/done", { number, ok: true });
    const bring = (content: Buffer) => send("/api/device/commands/file", { number, base64: content.toString("base64") });
    if (kind === "screenshot") await bring(drawScreen(shown.values));
    if (kind === "upload-log") await bring(Buffer.from(`${log.join("\n")}\n`));
    shown = { ...shown, done: number, ...(kind === "restart" && { restarts: shown.restarts + 1 }) };
    // Whoever starts anew, or is to look again, knows no tag.
    if (kind === "restart" || kind === "refresh-config") shown = { ...shown, tag: undefined };
    await send("/api/device/commands/done", { number, ok: true, words: WORDS[kind] ?? "已执行" });
    say(`命令 ${number} ${kind}`);
  };
  const live = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const taken = await takeConfig(api, label, shown, stopping.signal);
        shown = { ...shown, ...taken.changed };
        say(taken.changed ? "已更新" : "未变");
        for (const command of taken.commands) await perform(command);
      } catch (failure) {
        say(String(failure));
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  };
  const beat = (): void =>
    void send("/api/till/heartbeat", { version: "2.4.1", ...STORAGE_MB }).catch((failure: unknown) => say(String(failure)));
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
const WORDS: Readonly<Record<string, string>> = {
  restart: "已重启",
  "refresh-config": "已重新取配置",
  screenshot: "已截屏",
  "upload-log": "已上传日志",
};

interface Taken {
  readonly changed?: Pick<Shown, "tag" | "values" | "device" | "changedAt">;
  readonly commands: readonly Command[];
}
/** One conditional GET: the server answers when there is something new, or after the wait. */
async function takeConfig(api: string, label: Label, before: Shown, signal: AbortSignal): Promise<Taken> {
  const url = `/api/device/config?wait=${WAIT_S}`;
  const headers = { ...sign(label, "GET", url), ...(before.tag && { "if-none-match": `"${before.tag}"` }) };
  const answer = await fetch(`${api}${url}`, { headers, signal });
  if (answer.status === 304) return { commands: [] };
  if (!answer.ok) throw new Error(`应答 ${answer.status}`);
  const { tag, values, device, commands } = (await answer.json()) as Pick<Shown, "values" | "device"> & { tag: string } & Taken;
  return { changed: { tag, values, device, changedAt: new Date().toISOString() }, commands };
}
