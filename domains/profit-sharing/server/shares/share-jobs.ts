import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { byTurns, waitsFor } from "../../../channels/server/index.ts";
import { chaseShare } from "./chase-share.ts";

const BATCH = 2_000;
const SINCE = sql`case when s.status = 0 then s.due_at else s.next_query_at end`;

/** Sends a share whose time has come, or looks after one that the channel told of. */
export const sendShareJob = job({
  name: "send-share",
  data: z.object({ service_provider_id: id, id }),
  concurrency: 8,
  run: chaseShare,
});

/** Shares to send or to ask about: of each account what has waited longest since it was due first, so that those which wait for a receiver crowd nobody out. */
export const dueShares = (tx: Transaction, now: string) =>
  tx
    .selectFrom("sharing_orders as s")
    .innerJoin("pay_orders as o", (on) => on.onRef("o.service_provider_id", "=", "s.service_provider_id").onRef("o.id", "=", "s.order_id"))
    .select(["s.service_provider_id", "s.id", "o.merchant_id", "o.channel", "o.tool"])
    .where((where) =>
      where.or([
        where.and([where("s.status", "=", 0), where("s.due_at", "<=", now)]),
        where.and([where("s.status", "=", 1), where("s.next_query_at", "<=", now)]),
      ]),
    )
    .orderBy(byTurns(SINCE))
    .orderBy(SINCE)
    .limit(BATCH)
    .execute();
/** Of a provider that was restored elsewhere: what had not been asked for yet waits until somebody sends it. */
export const holdBackShares = (tx: Transaction, provider: string) =>
  tx
    .updateTable("sharing_orders")
    .set({ due_at: null, failure: "恢复时暂停：请先确认原来的系统没有分过这笔，再手动发起" })
    .where("service_provider_id", "=", provider)
    .where("status", "=", 0)
    .execute();
/** Every minute: shares whose time has come are sent, and those on their way are asked about. */
export const lookAfterShares = lookAfter({ name: "look-after-shares", due: dueShares, one: chaseShare, waitsFor });
