import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lostWith } from "./give-up.ts";
import { ATTEMPTS_KEPT_DAYS, BODIES_KEPT_DAYS } from "../../contract/index.ts";

const AT_ONCE = 5_000;
/** Every night, 5,000 rows a transaction: bodies after 30 days, with what still waited for them given up; everything after 90. */
export const purgePushes = job({
  name: "purge-pushes",
  data: z.object({}),
  every: "20 4 * * *",
  concurrency: 1,
  lease_s: 3600,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const before = (days: number) => new Date(now_ms - days * 86_400_000).toISOString();
    const [bodies, rows] = [before(BODIES_KEPT_DAYS), before(ATTEMPTS_KEPT_DAYS)];
    const steps = [
      sql`with gone as (update push_deliveries d set state = 'abandoned', settled_at = ${now}::timestamptz, taken_until = null where (d.service_provider_id, d.id) in (
        select d.service_provider_id, d.id from push_deliveries d where d.settled_at is null and d.created_at < ${bodies}::timestamptz
          and (d.taken_until is null or d.taken_until <= ${now}::timestamptz) limit ${AT_ONCE}) returning d.service_provider_id, d.id),
        lost as (${lostWith("gone", now)})
        select id from gone`,
      sql`update push_events v set body = null where (v.service_provider_id, v.id) in (
        select v.service_provider_id, v.id from push_events v where v.body is not null and v.created_at < ${bodies}::timestamptz
          and not exists (select 1 from push_deliveries d where d.service_provider_id = v.service_provider_id and d.event_id = v.id and d.settled_at is null) limit ${AT_ONCE})`,
      sql`delete from push_attempts a where (a.service_provider_id, a.delivery_id, a.n) in (
        select a.service_provider_id, a.delivery_id, a.n from push_attempts a where a.started_at < ${rows}::timestamptz limit ${AT_ONCE})`,
      sql`delete from push_deliveries d where (d.service_provider_id, d.id) in (
        select d.service_provider_id, d.id from push_deliveries d where d.settled_at < ${rows}::timestamptz and d.created_at < ${rows}::timestamptz
          and not exists (select 1 from push_attempts a where a.service_provider_id = d.service_provider_id and a.delivery_id = d.id) limit ${AT_ONCE})`,
      sql`delete from push_events v where (v.service_provider_id, v.id) in (
        select v.service_provider_id, v.id from push_events v where v.body is null and v.created_at < ${rows}::timestamptz
          and not exists (select 1 from push_deliveries d where d.service_provider_id = v.service_provider_id and d.event_id = v.id) limit ${AT_ONCE})`,
    ];
    for (const step of steps)
      for (;;) {
        const done = await withScope(services.pool, platformScope("purge pushes"), (tx) => step.execute(tx));
        if (Math.max(Number(done.numAffectedRows ?? 0n), done.rows.length) < AT_ONCE) break;
      }
  },
});
