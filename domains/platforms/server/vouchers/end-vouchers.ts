import { sql } from "kysely";
import { z } from "zod";
import { withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";

/** A use can be taken back for an hour, and the platform's day is looked at eight days later for the last time. */
const ASKED_DAYS = 9;
const CALLS_DAYS = 180;
const AT_ONCE = 50_000;
/** 00:20: vouchers that are free and whose time is over; codes of those that nothing is asked about any more, and old calls, are gone. */
export const endVouchers = job({
  name: "end-platform-vouchers",
  data: z.object({}),
  every: "20 0 * * *",
  concurrency: 1,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    const past = (days: number) => new Date(services.clock.now_ms() - days * 86_400_000).toISOString();
    await withScope(services.pool, platformScope("end platform vouchers"), async (tx) => {
      // Of every provider's; one that somebody is at waits for its answer.
      await sql`update platform_vouchers v set status = 3, updated_at = ${now} where v.status in (0, 2) and v.ends_at < ${now}
        and not exists (select from voucher_verifications a where a.service_provider_id = v.service_provider_id and a.voucher_id = v.id
          and a.status in (0, 3, 4, 5))`.execute(tx);
      await sql`update platform_vouchers v set code_sealed = null where v.code_sealed is not null
        and (v.status in (3, 4) or v.status = 1 and v.updated_at < ${past(ASKED_DAYS)})
        and not exists (select from voucher_verifications a where a.service_provider_id = v.service_provider_id and a.voucher_id = v.id
          and a.status in (0, 3, 4, 5))`.execute(tx);
      await sql`delete from platform_calls c where (c.service_provider_id, c.id) in (select x.service_provider_id, x.id from platform_calls x
        where x.started_at < ${past(CALLS_DAYS)} limit ${AT_ONCE})`.execute(tx);
    });
  },
});
