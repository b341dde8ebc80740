import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

/** Every night: imports whose time is over go, with the personal data of the lines that were never made. */
export const tendImports: Job = job({
  name: "tend-imports",
  data: z.object({}),
  every: "40 3 * * *",
  concurrency: 1,
  async run(services) {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, platformScope("tend-imports"), (tx) =>
      tx.deleteFrom("imports").where("expires_at", "<", now).where("status", "<>", 1).execute(),
    );
  },
});
