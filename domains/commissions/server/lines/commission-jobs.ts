import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { postCommissions } from "./post-commissions.ts";

/** One provider's payments and refunds up to yesterday. Where another worker is at it, that one does it all. */
export const postProvider = job({
  name: "post-commissions-of",
  concurrency: 1,
  data: z.object({ provider: id }),
  lease_s: 3600,
  retryLimit: 5,
  run: async (services, { provider }) => {
    const done = await postCommissions(services, provider);
    services.log.info({ provider, done }, "commissions posted");
  },
});

/** After midnight in Shanghai: a job for each provider. Days that were missed are caught up with. */
export const postDaily = job({
  name: "post-commissions",
  data: z.object({}),
  every: "20 0 * * *",
  concurrency: 1,
  run: async (services) => {
    await withScope(services.pool, platformScope("post commissions"), async (tx) => {
      const providers = await tx.selectFrom("service_providers").select("id").execute();
      for (const { id: provider } of providers) await services.jobs.enqueue(tx, postProvider, { provider }, { once: provider });
    });
  },
});
