import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, fstatSync, openSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./cluster.ts";
import { inUse, startFailure } from "./failure.ts";
import type { Identity } from "./identity.ts";

export interface Launch {
  readonly folder: string;
  readonly identity: Identity;
  readonly postgres: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface Running {
  /** Settles with the last words of the database when it is gone. */
  readonly exited: Promise<string>;
  /** Asks it to end; `exited` settles when it has. */
  end(): void;
}

const LOCKED = 75;
const LOG_LIMIT_BYTES = 5_000_000;
/** How long an earlier database may take to end after the program that held it was killed. */
const HANDOVER_MS = 60_000;

// Standard input is a pipe from this process. When it closes, by whatever death, the database is told to end.
// It is told again until it has: in its first moments it does not hear. Who dies before the number is read ends nothing here.
// The lock is the kernel's: it is held by the database itself and can't outlive it. The lock file names the holder.
const SUPERVISE = `lock=$1; holder=$2; shift 2
exec 3<&0 9>>"$lock" || exit 1
if command -v flock >/dev/null; then flock -n 9 || exit ${LOCKED}; fi
echo "$holder" >"$lock" || exit 1
"$@" 3<&- </dev/null >&2 & database=$!
( cat <&3 >/dev/null; while kill -INT $database; do sleep 1; done ) >/dev/null 2>&1 9>&- & watch=$!
trap '' PIPE
echo $database
wait $database; code=$?
kill $watch 2>/dev/null; : >"$lock"; exit $code`;

/**
 * Starts PostgreSQL on the cluster in `folder` and waits until it answers. After a crash that includes recovery.
 * @throws StartError when it can't start, or another program that is alive holds the folder
 */
export async function launch(options: Launch): Promise<Running> {
  const giveUpAt_ms = performance.now() + HANDOVER_MS;
  for (;;) {
    const outcome = await attempt(options);
    if ("exited" in outcome) return outcome;
    if (!outcome.locked) throw startFailure(options.folder, outcome.said);
    const holder = holderOf(options.folder);
    if ((holder && isAlive(holder)) || performance.now() > giveUpAt_ms) throw inUse(options.folder, holder);
    await sleep(50);
  }
}

/** The program that has the folder open, if the lock file names one. */
function holderOf(folder: string): number | undefined {
  return Number(readFileSync(join(folder, "lock"), "utf8").trim()) || undefined;
}

async function attempt(options: Launch): Promise<Running | { readonly locked: boolean; readonly said: string }> {
  const log = openLog(options.folder);
  const from = fstatSync(log).size;
  const child = start(options, log);
  closeSync(log);
  const said = () => readSince(join(options.folder, "postgres.log"), from);
  const ended = new Promise<number | null>((resolve, reject) => child.once("exit", resolve).once("error", reject));
  const pid = new Promise<number>((resolve) => child.stdout?.once("data", (text: Buffer) => resolve(Number(text))));
  const first = await Promise.race([ended.then((code) => ({ code })), pid]);
  const code = typeof first === "number" ? await readyOrEnded(options.folder, first, ended) : first.code;
  if (code !== undefined) {
    const text = said();
    return { locked: code === LOCKED || /"postmaster.pid" already exists|shared memory block/.test(text), said: text };
  }
  return { exited: ended.then(said), end: () => child.stdin?.end() };
}

function start({ folder, identity, postgres, settings }: Launch, log: number): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [...identity.prefix, postgres, "-D", join(folder, "cluster"), ...flags];
  return spawn("/bin/sh", ["-c", SUPERVISE, "sh", join(folder, "lock"), String(process.pid), ...command], {
    // A session of its own: Ctrl-C at the terminal reaches the program, which ends the database when it is done.
    detached: true,
    cwd: "/",
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    stdio: ["pipe", "pipe", log],
    uid: identity.uid,
    gid: identity.gid,
  });
}

/** The exit code if the database ended before it was ready. */
async function readyOrEnded(folder: string, pid: number, ended: Promise<number | null>): Promise<number | null | undefined> {
  for (;;) {
    const wait = sleep(10).then(() => undefined);
    const code = await Promise.race([ended, wait]);
    if (code !== undefined) return code;
    const lines = postmasterFile(folder);
    if (Number(lines[0]) === pid && lines[7]?.startsWith("ready")) return undefined;
  }
}

/** PostgreSQL's own note in the cluster: process, folder, start, port, socket folder, address, memory, state. */
export function postmasterFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, "cluster/postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
}

function openLog(folder: string): number {
  const path = join(folder, "postgres.log");
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) truncateSync(path);
  return openSync(path, "a", 0o600);
}

/** What the database wrote since `from`, at most its last 64 KB; nothing where the folder is gone. */
function readSince(path: string, from: number): string {
  try {
    return readFileSync(path).subarray(from).subarray(-65_536).toString();
  } catch {
    return "";
  }
}
