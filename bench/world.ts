import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres, type SocketConnection } from "@zhangfang/server/database/embedded-postgres.ts";
import { migrate } from "@zhangfang/server/database/migrate.ts";
import { fillWorld } from "./fill-world.ts";

const ROOT = join(import.meta.dirname, "..");

export interface World {
  /** The owner's connection, past row-level security. */
  readonly connection: SocketConnection;
  readonly rows: number;
  /** Ends the database and, unless it is kept, removes it. */
  close(): Promise<void>;
}

/**
 * A database of its own with the product's settings, fsync on, and a year of orders that ends now.
 * @param rows how many orders
 * @param keep whether it stays under .cache for the next run of the same day with the same schema
 */
export async function openWorld(rows: number, keep: boolean, say: (line: string) => void): Promise<World> {
  const folder = keep ? join(ROOT, `.cache/bench-${rows}`) : mkdtempSync(join(tmpdir(), "zhangfang-bench-"));
  const made = join(folder, "made.json");
  const stamp = JSON.stringify({ rows, day: new Date().toISOString().slice(0, 10), sources: sourcesHash() });
  const fresh = !existsSync(made) || readFileSync(made, "utf8") !== stamp;
  if (fresh) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const cluster = await startEmbeddedPostgres({ dataDir: join(folder, "postgres") });
  const close = async () => {
    await cluster.stop();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (fresh) {
      const begun_ms = Date.now();
      await migrate(cluster.connection, "bench");
      await fillWorld(cluster.connection, rows, say);
      writeFileSync(made, stamp);
      say(`world of ${rows} orders made in ${Math.round((Date.now() - begun_ms) / 1000)} s`);
    }
    return { connection: cluster.connection, rows, close };
  } catch (error) {
    await close();
    throw error;
  }
}

// A world made by another schema or another filling is another world.
function sourcesHash(): string {
  const hash = createHash("sha256");
  for (const file of ["bench/fill-world.ts", "bench/actors.ts", ...globSync("db/migrations/*.sql", { cwd: ROOT }).toSorted()])
    hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("hex");
}
