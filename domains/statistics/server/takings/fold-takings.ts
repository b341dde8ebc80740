import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

/** So many rows at once: each joins a dozen sums. */
const AT_ONCE = 5_000;

/** Every minute: what payments and refunds put down is added to the sums (app.fold_takings); no figure changes. */
export const foldTakings = job({
  name: "fold-takings",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  async run(services) {
    const fold = () =>
      withScope(
        services.pool,
        platformScope("fold-takings"),
        async (tx) => (await sql<{ n: number }>`select app.fold_takings(${AT_ONCE}) as n`.execute(tx)).rows[0]?.n ?? 0,
        { deadline_ms: 50_000 },
      );
    while ((await fold()) === AT_ONCE);
  },
});
