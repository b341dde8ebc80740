import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres, type SocketConnection } from "../database/embedded-postgres.ts";
import { postmasterFile } from "../postgres/launch.ts";

/** A PostgreSQL that streams to another, or from one. */
export interface Replica {
  /** As its owner. */
  readonly connection: SocketConnection;
  /** One statement as its owner. */
  ask<R extends object>(text: string, values?: unknown[]): Promise<R[]>;
  /** Ends all of it at once, as a power cut would. */
  kill(): Promise<void>;
  /** It hangs: it holds its connections and answers nothing. @param on false lets it go on */
  hang(on: boolean): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS = {
  wal_level: "replica",
  wal_keep_size: "512MB",
  max_wal_senders: "8",
  hot_standby: "on",
  max_connections: "150",
  shared_buffers: "64MB",
  wal_receiver_status_interval: "1s",
  wal_retrieve_retry_interval: "200ms",
};

/** A new PostgreSQL to which standbys may be made. A power cut may lose it; being killed it survives. */
export const startReplicable = (folder: string): Promise<Replica> => start(folder, {});

/**
 * A standby of a primary that runs: a copy of its folder made between `pg_backup_start` and `pg_backup_stop` (npm's PostgreSQL has no
 * pg_basebackup), which then streams.
 * @param folder for the standby alone; what was in it is taken away
 */
export async function addStandby(primary: Replica, folder: string): Promise<Replica> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const cluster = join(folder, "cluster");
  const client = new pg.Client(primary.connection);
  await client.connect();
  try {
    const { data } = (await client.query<{ data: string }>("select current_setting('data_directory') as data")).rows[0]!;
    await client.query("select pg_backup_start('standby', true)");
    copyFiles(data, cluster);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    writeFileSync(join(cluster, "backup_label"), rows[0]!.labelfile, { mode: 0o600 });
  } finally {
    await client.end();
  }
  writeFileSync(join(cluster, "standby.signal"), "");
  // Whom the primary waits for is not the standby's to wait for when it is one.
  writeFileSync(join(cluster, "postgresql.auto.conf"), "");
  const { host, port, user } = primary.connection;
  return start(folder, { primary_conninfo: `host=${host} port=${port} user=${user} application_name=standby` });
}

/** From now on the primary's commits wait until the standby has them. */
export async function waitForStandby(primary: Replica): Promise<void> {
  await until(async () => (await primary.ask("select 1 from pg_stat_replication where state = 'streaming'")).length > 0);
  await primary.ask("alter system set synchronous_standby_names = 'standby'");
  await primary.ask("select pg_reload_conf()");
  await until(async () => (await primary.ask("select 1 from pg_stat_replication where sync_state = 'sync'")).length > 0);
}

/** The standby takes writes from now on. */
export async function promote(standby: Replica): Promise<void> {
  // What is replayed may cancel the very statement that asks for it.
  await until(() =>
    standby.ask("select pg_promote(false)").then(
      () => true,
      () => false,
    ),
  );
  await until(async () => (await standby.ask("select 1 where not pg_is_in_recovery()").catch(() => [])).length > 0);
}

/** Waits for something that comes by itself. @throws after two minutes */
export async function until(look: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt_ms = performance.now() + 120_000; !(await look());) {
    if (performance.now() > giveUpAt_ms) throw new Error("it never came");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** All but the log, which is streamed, and what belongs to the running server. A file may go while it is copied: then all is copied again. */
function copyFiles(from: string, to: string): void {
  const left = (path: string) => !/\/(?:pg_wal\/.+|postmaster\.(?:pid|opts)|pgsql_tmp.*|pg_replslot\/.+)$/.test(path);
  for (let tries = 1; ; tries++) {
    try {
      return cpSync(from, to, { recursive: true, filter: left });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 5) throw error;
      rmSync(to, { recursive: true, force: true });
    }
  }
}

/** One that has ended by itself, such as whose question found the others, is passed over. */
function signal(pids: readonly number[], what: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, what);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

async function start(folder: string, settings: Readonly<Record<string, string>>): Promise<Replica> {
  const server = await startEmbeddedPostgres({ dataDir: folder, fsync: false, settings: { ...SETTINGS, ...settings } });
  const { connection } = server;
  const postmaster = Number(postmasterFile(folder)[0]);
  const ask = async <R extends object>(text: string, values?: unknown[]): Promise<R[]> => {
    const client = new pg.Client(connection);
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows as R[];
    } finally {
      await client.end();
    }
  };
  let stopped: readonly number[] = [];
  return {
    connection,
    ask,
    async kill() {
      process.kill(postmaster, "SIGKILL");
      signal(stopped, "SIGKILL");
      stopped = [];
      await server.stop();
    },
    async hang(on) {
      if (on) stopped = [postmaster, ...(await ask<{ pid: number }>("select pid from pg_stat_activity")).map(({ pid }) => pid)];
      signal(stopped, on ? "SIGSTOP" : "SIGCONT");
      if (!on) stopped = [];
    },
    stop: () => server.stop(),
  };
}
