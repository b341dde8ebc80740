import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { postgresBinaries } from "../postgres/binaries.ts";
import { createCluster } from "../postgres/cluster.ts";
import { startFailure } from "../postgres/failure.ts";
import { type Identity, identityFor } from "../postgres/identity.ts";
import { launch, postmasterFile } from "../postgres/launch.ts";
import { StartError } from "../start-error.ts";

/** Where a database is reached: `host` is the folder of its Unix socket. */
export interface SocketConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedPostgres {
  readonly connection: SocketConnection;
  /** Settles when the database has ended, asked to or not; the text is what it said last. */
  readonly exited: Promise<string>;
  /** Ends it in order: what is not committed is rolled back and the files are complete. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** A folder for this database alone; it is made where it is missing. */
  readonly dataDir: string;
  /** Off only for tests: a power cut then loses the database. */
  readonly fsync?: boolean;
  /** PostgreSQL settings by name. */
  readonly settings?: Readonly<Record<string, string>>;
}

const PORT = 5432;
/** The kernel's limit for the path of a socket, less its last byte. */
const SOCKET_PATH_BYTES = 107;

/**
 * Starts the PostgreSQL that npm brought. It listens on a Unix socket that only its own user may open, and it ends
 * with this process, even when that is killed. The first start makes the database.
 * @throws StartError when the folder can't be used or another program uses it
 * @example
 * const database = await startEmbeddedPostgres({ dataDir: "/var/lib/zhangfang/postgres" });
 * const pool = new pg.Pool(database.connection);
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = postgresBinaries();
  const folder = resolve(options.dataDir);
  try {
    makeFolder(folder);
    const identity = identityFor(folder);
    createCluster(folder, binaries.initdb, identity, options.fsync !== false);
    const host = socketFolder(folder, identity);
    const running = await launch({ folder, identity, postgres: binaries.postgres, settings: settingsOf(options, host) });
    const exited = running.exited.finally(() => host === folder || rmSync(host, { recursive: true, force: true }));
    const stop = async () => {
      running.end();
      await exited;
    };
    return { connection: connectionAt(host), exited, stop };
  } catch (error) {
    throw error instanceof StartError ? error : startFailure(folder, (error as Error).message);
  }
}

/** How to reach the embedded database of a folder that another program runs; undefined when none does. */
export function runningEmbeddedPostgres(dataDir: string): SocketConnection | undefined {
  const lines = postmasterFile(resolve(dataDir));
  return lines[4] && lines[7]?.startsWith("ready") ? connectionAt(lines[4]) : undefined;
}

/**
 * The connection as a URL, for tools that want one. The folder travels as the percent-encoded host.
 * @example
 * connectionUrl({ host: "/run/zf", port: 5432, user: "postgres", database: "app" }); // postgresql://postgres@%2Frun%2Fzf:5432/app
 */
export function connectionUrl({ host, port, user, database }: SocketConnection): string {
  return `postgresql://${encodeURIComponent(user)}@${encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`;
}

function connectionAt(host: string): SocketConnection {
  return { host, port: PORT, user: "postgres", database: "postgres" };
}

/** Only the folder itself is closed to others: where the database runs as another user, it has to pass the parents. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
}

function socketFolder(folder: string, identity: Identity): string {
  if (Buffer.byteLength(join(folder, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES) return folder;
  const short = mkdtempSync(join(Buffer.byteLength(tmpdir()) < 60 ? realpathSync(tmpdir()) : "/tmp", "zhangfang-"));
  if (identity.uid !== undefined && identity.gid !== undefined) chownSync(short, identity.uid, identity.gid);
  return short;
}

function settingsOf(options: EmbeddedOptions, socketFolderPath: string): Record<string, string> {
  return {
    listen_addresses: "",
    port: String(PORT),
    unix_socket_directories: `"${socketFolderPath.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    fsync: options.fsync === false ? "off" : "on",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_checkpoints: "off",
    // A refused statement is the caller's to report; its text may hold somebody's telephone number.
    log_min_messages: "log",
    ...options.settings,
  };
}
