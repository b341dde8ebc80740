import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { job } from "@zhangfang/server/jobs.ts";
import { platformScope } from "@zhangfang/server/scope.ts";

/** Every night: the slots of days that are over become one row (app.fold_takings); no sum changes. */
export const foldTakings = job({
  name: "fold-takings",
  data: z.object({}),
  every: "20 3 * * *",
  concurrency: 1,
  async run(services) {
    const before = shanghaiDay(services.clock.now_ms());
    await withScope(
      services.pool,
      platformScope("fold-takings"),
      (tx) => sql`select app.fold_takings(${before}::date), app.fold_takings_days(${before}::date)`.execute(tx),
      {
        deadline_ms: 100_000,
      },
    );
  },
});
