import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { dropFiles } from "../drop-files.ts";
import { pieceKeys } from "./policy.ts";

const AT_ONCE = 200;
/** Forgets uploads that nobody went on with for a day, with the pieces that came, and those long over. */
export const purgeUploads = job({
  name: "purge-ad-uploads",
  data: z.object({}),
  every: "10 * * * *",
  concurrency: 1,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    while ((await forget(services, now)) === AT_ONCE);
  },
});

/** The first that are due, in a transaction of their own. @returns how many there were */
function forget(services: Services, now: string): Promise<number> {
  return withScope(services.pool, platformScope("purge ad uploads"), async (tx) => {
    const due = await tx
      .selectFrom("ad_uploads")
      .select(["service_provider_id", "id", "piece_count", "status"])
      .where("expires_at", "<", now)
      .orderBy("expires_at")
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    await dropFiles({ tx, services }, due.filter(({ status }) => status === "uploading").flatMap(pieceKeys));
    await sql`delete from ad_uploads u using jsonb_to_recordset(${JSON.stringify(due)}::jsonb) as x(service_provider_id uuid, id uuid)
      where u.service_provider_id = x.service_provider_id and u.id = x.id`.execute(tx);
    return due.length;
  });
}
