import { z } from "zod";
import { withScope } from "@zhangfang/server/db.ts";
import { job } from "@zhangfang/server/jobs.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { verifyLedger } from "./verify-ledger.ts";

/** Reads the whole book every night and says loudly where a rule does not hold. */
export const verifyLedgerNightly = job({
  name: "verify-ledger",
  data: z.object({}),
  every: "40 3 * * *",
  lease_s: 1800,
  concurrency: 1,
  retryLimit: 2,
  run: async (services) => {
    const breaches = await withScope(services.pool, platformScope("verify the ledger"), verifyLedger, {
      readOnly: true,
      deadline_ms: 1_500_000,
    });
    for (const breach of breaches) services.log.error({ breach }, "ledger breach");
    if (breaches.length === 0) services.log.info("ledger verified");
  },
});
