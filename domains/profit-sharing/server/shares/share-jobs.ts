import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope } from "@zhangfang/server/db.ts";
import { job } from "@zhangfang/server/jobs.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import { inBatches } from "../in-batches.ts";
import { chaseShare } from "./chase-share.ts";

const BATCH = 400;

/** Sends a share whose time has come, or looks after one that the channel told of. */
export const sendShareJob = job({
  name: "send-share",
  data: z.object({ service_provider_id: id, id }),
  concurrency: 8,
  run: chaseShare,
});

/** Every minute: shares whose time has come are sent, and those on their way are asked about. */
export const lookAfterShares = job({
  name: "look-after-shares",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  lease_s: 600,
  retryLimit: 0,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    const due = await withScope(
      services.pool,
      platformScope("look after shares"),
      (tx) =>
        tx
          .selectFrom("sharing_orders")
          .select(["service_provider_id", "id"])
          .where((where) =>
            where.or([
              where.and([where("status", "=", 0), where("due_at", "<=", now)]),
              where.and([where("status", "=", 1), where("next_query_at", "<=", now)]),
            ]),
          )
          .orderBy("created_at")
          .limit(BATCH)
          .execute(),
      { readOnly: true },
    );
    await inBatches(services, due, (share) => chaseShare(services, share));
  },
});
