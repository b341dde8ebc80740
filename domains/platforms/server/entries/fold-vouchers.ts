import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

const AT_ONCE = 5_000;
/** Every minute: what facts of vouchers put down is added to the sums (app.fold_voucher); no figure changes. */
export const foldVouchers = job({
  name: "fold-vouchers",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  async run(services) {
    const fold = () =>
      withScope(
        services.pool,
        platformScope("fold-vouchers"),
        async (tx) =>
          (await sql<{ n: number }>`select greatest(app.fold_voucher(${AT_ONCE}), app.clear_voucher_turns(${AT_ONCE})) as n`.execute(tx))
            .rows[0]?.n ?? 0,
        { deadline_ms: 50_000 },
      );
    while ((await fold()) === AT_ONCE);
  },
});
