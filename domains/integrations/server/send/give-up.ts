import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** The end of a statement that gives up the deliveries `named`: a try of theirs that nobody settled ended with its process. */
export const lostWith = (named: string, now: string) => sql`update push_attempts a set outcome = 'lost', ended_at = ${now}::timestamptz
  from ${sql.raw(named)} g where a.service_provider_id = g.service_provider_id and a.delivery_id = g.id and a.outcome is null`;

/**
 * Gives up what waits for an endpoint that is off: it can be sent again by hand. What is under way is settled by whoever sends it; tests go
 * on, because one that passes brings the endpoint back. The endpoint's row is held by the caller.
 */
export async function giveUpWaiting(
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
  now: string,
  which: "all" | "but tests" = "but tests",
): Promise<void> {
  await sql`with gone as (update push_deliveries d set state = 'abandoned', settled_at = ${now}::timestamptz, taken_until = null
    where d.service_provider_id = ${service_provider_id} and d.endpoint_id = ${id} and d.settled_at is null
      and (d.taken_until is null or d.taken_until <= ${now}::timestamptz) and (d.type <> 'push.test' or ${which} = 'all')
    returning d.service_provider_id, d.id)
    ${lostWith("gone", now)}`.execute(tx);
}
