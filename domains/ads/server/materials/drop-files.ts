import { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Deletes files that nothing holds any more. As a job, so that what is rolled back keeps its files. */
export const dropFilesJob = job({
  name: "drop-ad-files",
  data: z.object({ keys: z.array(z.string()) }),
  async run(services, { keys }) {
    const files = openFiles(services.config);
    for (const key of keys) await files.remove(key);
  },
});
/** So many at once in one job. */
const AT_ONCE = 500;

/** Has files deleted once the transaction stands; ten minutes later, so that whoever is reading one ends. */
export async function dropFiles(
  { tx, services }: { readonly tx: Transaction; readonly services: Services },
  keys: readonly string[],
): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await services.jobs.enqueue(tx, dropFilesJob, { keys: keys.slice(at, at + AT_ONCE) }, { after_s: 600 });
}
