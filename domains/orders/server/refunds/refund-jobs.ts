import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { job } from "@zhangfang/server/jobs.ts";
import { lookAfter } from "@zhangfang/server/look-after.ts";
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
export const queryRefunds = lookAfter({
  name: "query-refunds",
  due: (tx, now) =>
    tx
      .selectFrom("refunds")
      .select(["service_provider_id", "id"])
      .where("status", "=", 1)
      // A return that it waits for may be due before: its end is known by other ways than asking.
      .where((where) =>
        where.or([
          where("next_query_at", "<=", now),
          sql<boolean>`exists (select from sharing_returns r where r.service_provider_id = refunds.service_provider_id and r.refund_id = refunds.id
            and r.status = 1 and r.next_query_at <= ${now}::timestamptz)`,
        ]),
      )
      .orderBy("next_query_at")
      .limit(BATCH)
      .execute(),
  one: chaseRefund,
});
