import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { clearDayUses, type RecordedDay } from "../../../platforms/server/index.ts";

/** A platform's record of a day's uses is kept for so long. */
const KEPT_DAYS = 90;
const AT_ONCE = 500;

/** What was taken anew is there for whoever wants to match with it. */
const FRESH = sql`interval '1 day'`;
/** A day that is open and was not matched since, or has a difference, is matched with its record and those beside it. */
const needed = sql`exists (select from platform_accounts a join recon_days d on d.service_provider_id = a.service_provider_id and d.merchant_id = a.merchant_id
    and d.source = a.platform where a.service_provider_id = b.service_provider_id and a.id = b.account_id
      and d.status = 'open' and (d.open_count > 0 or d.matched_at is null) and d.day between b.day - 1 and b.day + 1)`;

/** Every ten minutes: records of uses that no day is matched with any more. */
export const clearRecords = lookAfter<RecordedDay>({
  name: "clear-platform-records",
  every: 600,
  due: async (tx, now) => {
    const before = addDays(shanghaiDay(Date.parse(now)), -KEPT_DAYS);
    const { rows } = await sql<RecordedDay>`select b.service_provider_id, b.account_id, b.day::text as day from platform_bill_days b
      where b.uses_taken_at < ${now}::timestamptz - ${FRESH} and b.cleared_at is null and b.day < ${before}::date and not ${needed}
      order by b.day limit ${AT_ONCE}`.execute(tx);
    return rows;
  },
  one: async (services, day) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, platformScope("clear a platform's record"), async (tx) => {
      // A match that runs holds them too: what it found is seen here, and it never reads half of a record.
      await sql`select d.id from recon_days d join platform_accounts a on a.service_provider_id = d.service_provider_id and a.merchant_id = d.merchant_id
          and a.platform = d.source where a.service_provider_id = ${day.service_provider_id} and a.id = ${day.account_id}
          and d.day between ${day.day}::date - 1 and ${day.day}::date + 1 order by d.day for update of d`.execute(tx);
      await clearDayUses(tx, day, { now, unless: sql`b.uses_taken_at >= ${now}::timestamptz - ${FRESH} or ${needed}` });
    });
  },
});
