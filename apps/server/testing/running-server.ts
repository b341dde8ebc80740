import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const MAIN = join(import.meta.dirname, "../main.ts");
const GIVE_UP_MS = 180_000;
/** Run before the program: it ends when its standard input does, which is when the test's process is gone, however that ended. */
const WITH_PARENT = `data:text/javascript,${encodeURIComponent('process.stdin.once("end", () => process.exit(1)).resume().unref()')}`;

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}
/** The real program in a process of its own. */
export interface RunningServer {
  /** Waits until it and its database answer. @throws with what it said where it ended before */
  ready(): Promise<void>;
  kill(signal: "SIGKILL" | "SIGTERM"): void;
  readonly ended: Promise<Ending>;
  readonly pid: number;
  /** Its output so far. */
  said(): string;
}

/** Starts apps/server/main.ts with this environment and nothing of the test's own settings; it ends with the test's process. */
export function startServer(env: Readonly<Record<string, string>>): RunningServer {
  const child = spawn(process.execPath, ["--import", WITH_PARENT, MAIN], {
    env: { PATH: process.env["PATH"] ?? "", LOG_LEVEL: "warn", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void (said += chunk.toString()));
  let ending: Ending | undefined;
  const ended = new Promise<Ending>((resolve) => {
    child.once("exit", (code, signal) => resolve((ending = { code, signal })));
  });
  const ready = async () => {
    const giveUpAt_ms = performance.now() + GIVE_UP_MS;
    for (;;) {
      if (ending || performance.now() > giveUpAt_ms) throw new Error(`the server did not start:\n${said}`);
      const up = await fetch(`http://127.0.0.1:${env["PORT"]}/readyz`).then(
        async (answer) => answer.ok && (await answer.text()) !== "",
        () => false,
      );
      if (up) return;
      await wait(25);
    }
  };
  return { pid: child.pid!, ready, kill: (signal) => void child.kill(signal), ended, said: () => said };
}

/** A port that stays free between two starts: below those that the system hands out by itself. */
export async function findPort(first: number, last: number): Promise<number> {
  for (let port = first; port <= last; port++) {
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (free) return port;
  }
  throw new Error(`no free port from ${first} to ${last}`);
}
