import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { deleteFile } from "../download/delete-file.ts";
import type { WriteJob } from "./queue.ts";

/** One that nobody woke for so long is woken here. */
const FORGOTTEN_MS = 60_000;

/** Every minute: takes up runs that died, deletes what is older than 7 days, forgets spent tickets. */
export function tendExportsJob(write: WriteJob): Job {
  return job({
    name: "tend-exports",
    data: z.object({}),
    every: "* * * * *",
    concurrency: 1,
    async run(services) {
      const now_ms = services.clock.now_ms();
      const now = new Date(now_ms).toISOString();
      await withScope(services.pool, platformScope("tend-exports"), async (tx) => {
        const stuck = await tx
          .selectFrom("export_files")
          .select(["owner_user_id", "id"])
          .where("status", "=", 0)
          .where((eb) =>
            eb.or([
              eb("lease_until", "<", now),
              eb.and([eb("lease_until", "is", null), eb("queued_at", "<", new Date(now_ms - FORGOTTEN_MS).toISOString())]),
            ]),
          )
          .orderBy("queue_no")
          .limit(500)
          .execute();
        for (const { owner_user_id: ownerUserId, id: exportId } of stuck) await services.jobs.enqueue(tx, write, { ownerUserId, exportId });

        const old = await tx
          .selectFrom("export_files")
          .select(["owner_user_id", "id", "file_key"])
          .where("status", "in", [1, 2])
          .where("expires_at", "<", now)
          .limit(1000)
          .forUpdate()
          .skipLocked()
          .execute();
        for (const { owner_user_id, id, file_key } of old) {
          await tx
            .updateTable("export_files")
            .set({ status: 3, file_key: null })
            .where("owner_user_id", "=", owner_user_id)
            .where("id", "=", id)
            .execute();
          if (file_key) await services.jobs.enqueue(tx, deleteFile, { fileKey: file_key });
        }
        await tx
          .deleteFrom("export_tickets")
          .where("expires_at", "<", new Date(now_ms - 86_400_000).toISOString())
          .execute();
      });
    },
  });
}
