import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Ref } from "../rows.ts";
import { chaseShare } from "./chase-share.ts";

const BATCH = 400;

/** Sends a share whose time has come, or looks after one that the channel told of. */
export const sendShareJob = job({
  name: "send-share",
  data: z.object({ service_provider_id: id, id }),
  concurrency: 8,
  run: chaseShare,
});

/** Shares to send or to ask about: what has waited longest since it was due first, so that those which wait for a receiver crowd nobody out. */
export const dueShares = (tx: Transaction, now: string): Promise<Ref[]> =>
  tx
    .selectFrom("sharing_orders")
    .select(["service_provider_id", "id"])
    .where((where) =>
      where.or([
        where.and([where("status", "=", 0), where("due_at", "<=", now)]),
        where.and([where("status", "=", 1), where("next_query_at", "<=", now)]),
      ]),
    )
    .orderBy((order) => order.case().when("status", "=", 0).then(order.ref("due_at")).else(order.ref("next_query_at")).end())
    .limit(BATCH)
    .execute();
/** Every minute: shares whose time has come are sent, and those on their way are asked about. */
export const lookAfterShares = lookAfter({ name: "look-after-shares", due: dueShares, one: chaseShare });
