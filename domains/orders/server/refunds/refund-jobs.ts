import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { job } from "@zhangfang/server/jobs.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { inBatches } from "../in-batches.ts";
import { chaseRefund } from "./chase-refund.ts";

const BATCH = 200;

/** Sends a refund that has been reserved; enqueued in the transaction that reserved it. */
export const sendRefund = job({
  name: "send-refund",
  data: z.object({ service_provider_id: id, id }),
  concurrency: 4,
  run: chaseRefund,
});

/** Every minute: refunds on their way whose time has come are asked about, so that a lost answer is found. */
export const queryRefunds = job({
  name: "query-refunds",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  lease_s: 600,
  retryLimit: 0,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    const due = await withScope(
      services.pool,
      platformScope("look after refunds on their way"),
      (tx) =>
        tx
          .selectFrom("refunds")
          .select(["service_provider_id", "id"])
          .where("status", "=", 1)
          .where("next_query_at", "<=", now)
          .orderBy("next_query_at")
          .limit(BATCH)
          .execute(),
      { readOnly: true },
    );
    await inBatches(services, due, (refund) => chaseRefund(services, refund));
  },
});
