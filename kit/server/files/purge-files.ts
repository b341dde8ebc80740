import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import { withScope } from "../database/db.ts";
import { platformScope } from "../database/scope.ts";
import { job, type Job } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";
import { openFiles } from "./files.ts";

/** A file is written before or after its row, never so long before; a backup that is put back may be as old. */
const OLD_MS = 30 * 86_400_000;
const AT_ONCE = 500;
/** Of so many at once no more than half may be nobody's: a database that is not theirs, or an old one, names none. */
const FEW = 20;

/** Each week: files that were written long ago and that no row names, of a process that died between the two. @param kept what rows name, by domain */
export const purgeFiles = (kept: readonly RawBuilder<unknown>[]): Job =>
  job({
    name: "purge-files",
    data: z.object({}),
    every: "25 4 * * 0",
    lease_s: 3600,
    concurrency: 1,
    retryLimit: 0,
    run: async (services) => {
      let keys: string[] = [];
      for await (const key of openFiles(services.config).old(services.clock.now_ms() - OLD_MS)) {
        keys.push(key);
        if (keys.length === AT_ONCE) await purge(services, kept, keys.splice(0));
      }
      if (keys.length > 0) await purge(services, kept, keys);
    },
  });

async function purge(services: Services, kept: readonly RawBuilder<unknown>[], keys: readonly string[]): Promise<void> {
  // Nobody names anything: rather all stay.
  if (kept.length === 0) return;
  const { rows } = await withScope(
    services.pool,
    platformScope("purge files"),
    (tx) =>
      sql<{ key: string }>`select k.key from unnest(${`{${keys.join(",")}}`}::text[]) as k (key)
        where not exists (select from (${sql.join(kept, sql` union all `)}) as u (key, provider) where u.key = k.key)`.execute(tx),
    { readOnly: true, deadline_ms: 60_000 },
  );
  if (rows.length > FEW && rows.length * 2 > keys.length) {
    services.log.warn(
      { files: rows.length, of: keys.length },
      "most old files are named by no row, so none was purged: is this their database?",
    );
    return;
  }
  for (const { key } of rows) await openFiles(services.config).remove(key);
  if (rows.length > 0) services.log.info({ files: rows.length }, "files that no row names were purged");
}
