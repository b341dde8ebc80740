import { join } from "node:path";
import { type Config, derivedKey } from "@zhangfang/server/config.ts";
import { connectionOf } from "@zhangfang/server/database/connection.ts";
import { atPrimary } from "@zhangfang/server/database/servers/primary.ts";
import { runningEmbeddedPostgres, startEmbeddedPostgres } from "@zhangfang/server/database/embedded-postgres.ts";
import type { SnapshotFile, SnapshotPlace } from "@zhangfang/server/snapshot.ts";
import type { Manifest } from "@zhangfang/server/snapshot/archive.ts";
import { StartError } from "@zhangfang/server/start-error.ts";

/**
 * Runs `work` on the database that the service uses: DATABASE_URL, else the embedded one, started for this where the
 * service does not run.
 * @param alone the service must not run meanwhile
 */
export async function withPlace<T>(config: Config, alone: boolean, work: (place: SnapshotPlace) => Promise<T>): Promise<T> {
  const files_dir = join(config.data_dir, "files");
  if (config.database_url) return work({ owner: await atPrimary(connectionOf(config.database_url)), files_dir });
  const dataDir = join(config.data_dir, "postgres");
  const running = alone ? undefined : runningEmbeddedPostgres(dataDir);
  if (running) return work({ owner: running, files_dir });
  const embedded = await startEmbeddedPostgres({ dataDir });
  try {
    return await work({ owner: embedded.connection, files_dir });
  } finally {
    await embedded.stop();
  }
}

/** Tells whether a backup belongs to this secret, and nothing about the secret. */
export function secretMark(config: Config): string {
  return derivedKey(config.secret, "backup-mark").toString("hex").slice(0, 16);
}

/** The backup that a person named, from where the person stands. */
export function snapshotFile(given: string): SnapshotFile {
  const from = process.env["INIT_CWD"] ?? process.cwd();
  const key = process.env["ZHANGFANG_BACKUP_KEY"];
  return { path: join(given.startsWith("/") ? "" : from, given), ...(key && { key }) };
}

/** What a backup holds, in a few words. */
export function summary({ parts, created_at }: Manifest): string {
  const tables = parts.filter((part) => "table" in part);
  const rows = tables.reduce((sum, part) => sum + part.rows, 0);
  const bytes = parts.reduce((sum, part) => sum + part.size_bytes, 0);
  return `${tables.length} 张表、${rows} 行、${parts.length - tables.length} 个文件，共 ${(bytes / 1_000_000).toFixed(1)} MB，做于 ${created_at}`;
}

/** Prints what can be mended as one line, everything else with its stack, and lets the program end with 1. */
export function told(error: unknown): void {
  const known = error instanceof StartError;
  process.stderr.write(`${known ? error.message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
}
