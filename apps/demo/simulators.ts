import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "@zhangfang/server/config.ts";
import { openOutbound } from "@zhangfang/server/outside/outbound.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { StartError } from "@zhangfang/server/start-error.ts";

const APPS = join(import.meta.dirname, "..");
/** Against what never answers: a busy machine takes seconds. */
const GIVE_UP_MS = 120_000;
const LOOK_MS = 100;

/** The tills of the demo, for the simulators: where the product listens, where they do, and the keys of the devices. */
interface Book {
  readonly api: string;
  readonly simulator_port?: number;
}
export const bookOf = ({ data_dir }: Pick<Config, "data_dir">): string => join(data_dir, "simulator", "tills.json");

/**
 * Where the simulators of this data folder are: the channels' accounts of its demo world name their address, so a world that is there
 * keeps the port that it was made with, whatever PORT is now. The tills are told where the product listens today.
 * @throws StartError where SIMULATOR_PORT names another
 */
export function keepSimulatorPort(config: Config, asked = process.env["SIMULATOR_PORT"]): Config {
  const path = bookOf(config);
  if (!config.demo || !existsSync(path)) return config;
  const book = JSON.parse(readFileSync(path, "utf8")) as Book;
  const api = `http://127.0.0.1:${config.port}`;
  // Books from before this was written down are of the one port that there was.
  const simulator_port = book.simulator_port ?? (asked ? config.simulator_port : 8090);
  if (asked && simulator_port !== config.simulator_port)
    throw new StartError(`这里的演示数据用的是端口 ${simulator_port} 上的模拟器，请去掉 SIMULATOR_PORT，或换一个 DATA_DIR`);
  if (book.api !== api) writeFileSync(path, JSON.stringify({ ...book, api }), { mode: 0o600 });
  return { ...config, simulator_port };
}

/** The simulators' processes. */
export interface Simulators {
  stop(): void;
}

/**
 * Starts the demo's other sides, the channels, the devices and other platforms, each in a process of its own that ends with this one, and waits until all
 * have proved to be ours: whoever else listens on their ports does not know the token, and is told no key.
 * With `SIMULATOR_TOKEN` a channel simulator that somebody else started has to know that one, and none is started.
 * @param lost hears of one that ends by itself later
 * @throws StartError in one line where one does not come up
 */
export async function startSimulators(
  { config, log }: Pick<Services, "config" | "log">,
  lost: (line: string) => void,
): Promise<Simulators> {
  const { data_dir, simulator_port } = config;
  const given = process.env["SIMULATOR_TOKEN"];
  if (given) {
    await prove("通道模拟器", simulator_port, given);
    return { stop: () => {} };
  }
  const folder = join(data_dir, "simulator");
  const token = randomUUID();
  let stopping = false;
  const children: ChildProcess[] = [];
  const stop = () => {
    stopping = true;
    for (const child of children) child.kill("SIGTERM");
  };
  const start = async (title: string, port: number, program: string, ...args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, [join(APPS, program, "main.ts"), ...args, "--port", String(port), "--with-parent"], {
      stdio: ["pipe", "ignore", "pipe"],
      env: { ...process.env, SIMULATOR_TOKEN: token },
    });
    children.push(child);
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => {
      said = chunk.toString().trim();
      log.warn({ simulator: program, said }, "simulator");
    });
    let up = false;
    const ended = new Promise<never>((_resolve, reject) => {
      const fail = (why: string) => {
        if (up && !stopping) lost(`${title}意外退出：${why}`);
        reject(new StartError(`${title}没有启动：${why}`));
      };
      child.once("error", (error) => fail(error.message)).once("close", () => fail(said.split("\n").at(-1) || "它自己结束了"));
    });
    await Promise.race([ended, prove(title, port, token, () => child.exitCode === null)]);
    up = true;
    ended.catch(() => {});
  };
  try {
    await Promise.all([
      start("通道模拟器", simulator_port, "channel-simulator", "--data", folder, "--speed", "5"),
      start("设备模拟器", simulator_port + 1, "device-simulator", "--book", bookOf(config)),
      start("平台模拟器", simulator_port + 2, "platform-simulator"),
    ]);
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}

/** Asks whoever listens there for the token until it is the right one. */
async function prove(title: string, port: number, token: string, alive = () => true): Promise<void> {
  const send = openOutbound([`127.0.0.1:${port}`], { loopback: true });
  const giveUpAt_ms = performance.now() + GIVE_UP_MS;
  while (alive() && performance.now() < giveUpAt_ms) {
    const answer = await send({ method: "GET", url: `http://127.0.0.1:${port}/proof`, headers: {}, timeout_ms: 5_000 }).catch(() => {});
    if (answer?.body.toString("utf8") === token) return;
    await wait(LOOK_MS);
  }
  throw new StartError(`${title}没有启动：端口 ${port} 上没有它的应答，请用 SIMULATOR_PORT 换一个端口`);
}
