import { spawnSync } from "node:child_process";
import { chownSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startFailure } from "./failure.ts";
import type { Identity } from "./identity.ts";

/**
 * Makes the database files in `<folder>/cluster` unless they are there. They are made beside and renamed, so an
 * interrupted first start leaves nothing half-made and two first starts leave one database.
 */
export function createCluster(folder: string, initdb: string, identity: Identity, durable: boolean): void {
  const cluster = join(folder, "cluster");
  if (existsSync(join(cluster, "PG_VERSION"))) return;
  for (const left of readdirSync(folder).filter((name) => abandoned(name))) rmSync(join(folder, left), { recursive: true, force: true });
  const fresh = join(folder, `new-${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { mode: 0o700 });
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(fresh, identity.uid, identity.gid);
  runInitdb(folder, fresh, initdb, identity, durable);
  try {
    renameSync(fresh, cluster);
  } catch (error) {
    // Another first start was quicker; the lock decides which of the two may go on.
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(cluster, "PG_VERSION"))) throw error;
  }
  const directory = openSync(folder, "r");
  if (durable) fsyncSync(directory);
  closeSync(directory);
}

function runInitdb(folder: string, fresh: string, initdb: string, identity: Identity, durable: boolean): void {
  // The collation is PostgreSQL's own, the same on every machine; Chinese order is asked for where it is wanted.
  const options = [
    "--username=postgres",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
  ];
  const [command, ...args] = [...identity.prefix, initdb, "-D", fresh, ...options, "--data-checksums", "--no-instructions"];
  if (!durable) args.push("--no-sync");
  const { uid, gid } = identity;
  const made = spawnSync(command, args, { uid, gid, cwd: "/", encoding: "utf8", env: { PATH: process.env["PATH"], LC_ALL: "C" } });
  if (made.status === 0) return;
  rmSync(fresh, { recursive: true, force: true });
  throw startFailure(folder, `${made.error?.message ?? ""}\n${made.stdout ?? ""}\n${made.stderr ?? ""}`);
}

/** A first start that was interrupted: its process is gone. */
function abandoned(name: string): boolean {
  const pid = /^new-(\d+)$/.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

/** Whether a process runs, also when it is another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
