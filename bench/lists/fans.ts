import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { readConfig } from "@zhangfang/server/config.ts";
import { connectionUrl } from "@zhangfang/server/database/embedded-postgres.ts";
import { giveWechat, wechat } from "@zhangfang/domains/wechat/server/index.ts";
import { openServices } from "../../apps/server/open-services.ts";
import { actorOf, idOf, SECRET } from "../actors.ts";
import { atMost, type Line, plain } from "../figures.ts";
import { startServer } from "../part.ts";
import { sized } from "../small.ts";
import { openWorld } from "../world.ts";

const FANS = Number(process.env["BENCH_FANS"] ?? sized(1_000_000, 20_000));
const PORT = 9209;
const APP_ID = "wx00000000000000be";
const MEMORY_MB = 150;
/** A million in minutes; where nobody is new it is the list alone. */
const [NEW_S, AGAIN_S] = [(600 * FANS) / 1_000_000, (300 * FANS) / 1_000_000];

/** A list of a million followers of one account, all of them new: read, asked about and taken; then again with nothing new; then the figures of 30 days. */
export async function measure(): Promise<Line[]> {
  const world = await openWorld(1_000, false, () => undefined);
  const owner = new pg.Client(world.connection);
  await owner.connect();
  const config = { ...readConfig({ ZHANGFANG_DEMO: "no", ZHANGFANG_SECRET: SECRET }), database_url: connectionUrl(world.connection) };
  const { atWork, close } = await openServices(config, [wechat]);
  const server = await startServer(world.connection, PORT, { work: false });
  const simulator = await startSimulator();
  try {
    const headers = { authorization: `Bearer ${actorOf("merchant").token}`, "content-type": "application/json" };
    const call = async <T>(path: string, body?: object): Promise<T> => {
      const url = `http://127.0.0.1:${PORT}/api/${path}${path.includes("?") ? "&" : "?"}_t=1`;
      const answer = await fetch(url, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    };
    const { id } = await call<{ id: string }>("wx-apps/add", { requestId: randomUUID(), appId: APP_ID, name: "bench", kind: 1 });
    await call("wx-apps/secret", { id, revision: 1, secret: "0123456789abcdef".repeat(2) });
    giveWechat(atWork, simulator.url);
    await fetch(`${simulator.url}/wechat-followers`, { method: "POST", body: JSON.stringify({ appId: APP_ID, plant: FANS }) });
    const job = wechat.jobs.find(({ name }) => name === "sync-fans")!;
    const sync = async (): Promise<{ seconds: number; megabytes: number }> => {
      await call("wx-fans/sync", { id });
      const { rows } = await owner.query<{ id: string }>("select id from wx_fan_syncs where status = 0");
      const before = process.memoryUsage.rss();
      let peak = before;
      const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
      const begun_ms = performance.now();
      await job.run(atWork, { service_provider_id: idOf("provider", 1), id: rows[0]!.id });
      clearInterval(watch);
      const { sync: ended } = await call<{ sync: { status: number; listed: number; why: string } }>(`wx-fans/sync?id=${id}`);
      if (ended.status !== 1 || ended.listed !== FANS) throw new Error(`the sync ended with ${JSON.stringify(ended)}`);
      return { seconds: (performance.now() - begun_ms) / 1_000, megabytes: (peak - before) / 1_048_576 };
    };
    const first = await sync();
    await owner.query("analyze");
    const again = await sync();
    const today = shanghaiDay(Date.now());
    const figures = async (by: string): Promise<number> => {
      const begun_ms = performance.now();
      await call(`wx-fans/figures?from=${addDays(today, -29)}&to=${today}&by=${by}`);
      return performance.now() - begun_ms;
    };
    const [day, source] = [await figures("day"), await figures("source")];
    const size = FANS.toLocaleString("en-US");
    return [
      atMost(`sync of ${size} followers, all of them new`, first.seconds, NEW_S, "s", 1),
      atMost("  memory, most minus before", first.megabytes, MEMORY_MB, "MB"),
      atMost("the same list again", again.seconds, AGAIN_S, "s", 1),
      atMost("  memory, most minus before", again.megabytes, MEMORY_MB, "MB"),
      plain("粉丝汇总 of 30 days by day, by source", `${day.toFixed(0)} ms, ${source.toFixed(0)} ms`, { day, source }),
    ];
  } finally {
    simulator.stop();
    await server.stop();
    await close();
    await owner.end();
    await world.close();
  }
}
/** WeChat, in a process of its own. */
async function startSimulator(): Promise<{ readonly url: string; stop(): void }> {
  const main = join(import.meta.dirname, "../../apps/platform-simulator/main.ts");
  const child = spawn(process.execPath, [main, "--with-parent", "--port", "0"], { stdio: ["pipe", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject).once("exit", () => reject(new Error("the simulator did not start")));
    child.stdout.on("data", (chunk: Buffer) => {
      const found = /(http:\/\/[\d.:]+)\//.exec(chunk.toString());
      if (found) resolve(found[1]!);
    });
  });
  return { url, stop: () => void child.kill() };
}
