import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
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
export const lookAfterShares = lookAfter({
  name: "look-after-shares",
  due: (tx, now) =>
    tx
      .selectFrom("sharing_orders")
      .select(["service_provider_id", "id"])
      .where((where) =>
        where.or([
          where.and([where("status", "=", 0), where("due_at", "<=", now)]),
          where.and([where("status", "=", 1), where("next_query_at", "<=", now)]),
        ]),
      )
      // What has waited longest since it was due, so that those which wait for a receiver crowd nobody out.
      .orderBy((order) => order.case().when("status", "=", 0).then(order.ref("due_at")).else(order.ref("next_query_at")).end())
      .limit(BATCH)
      .execute(),
  one: chaseShare,
});
