import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

const LOST_MS = 86_400_000;

/** Every night: imports whose time is over go, with the personal data of the lines that were never made; what nobody took up for a day ends. */
export const tendImports: Job = job({
  name: "tend-imports",
  data: z.object({}),
  every: "40 3 * * *",
  concurrency: 1,
  async run(services) {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    await withScope(services.pool, platformScope("tend-imports"), async (tx) => {
      await tx
        .updateTable("imports")
        .set({ status: 3, failure: "导入中断，请重新导入", finished_at: now })
        .where("status", "=", 1)
        .where((row) => row(row.fn.coalesce("tried_at", "created_at"), "<", new Date(now_ms - LOST_MS).toISOString()))
        .execute();
      await tx.deleteFrom("imports").where("expires_at", "<", now).where("status", "<>", 1).execute();
    });
  },
});
