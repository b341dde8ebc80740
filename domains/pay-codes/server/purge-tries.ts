import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

const DAY_MS = 86_400_000;

/** Removes what was begun at pay codes more than a day ago; the orders stay. */
export const purgePayCodeTries = job({
  name: "purge-pay-code-tries",
  data: z.object({}),
  every: "37 * * * *",
  concurrency: 1,
  run: async (services) => {
    const before = new Date(services.clock.now_ms() - DAY_MS).toISOString();
    await withScope(services.pool, platformScope("purge old tries"), (tx) =>
      tx.deleteFrom("pay_code_tries").where("created_at", "<", before).execute(),
    );
  },
});
