import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

const AT_ONCE = 5_000;
/** Every minute: what orders put down is added to the sums (app.fold_takeaway); no figure changes. */
export const foldTakeaway = job({
  name: "fold-takeaway",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  async run(services) {
    const fold = () =>
      withScope(
        services.pool,
        platformScope("fold-takeaway"),
        async (tx) => (await sql<{ n: number }>`select app.fold_takeaway(${AT_ONCE}) as n`.execute(tx)).rows[0]?.n ?? 0,
        { deadline_ms: 50_000 },
      );
    while ((await fold()) === AT_ONCE);
  },
});
