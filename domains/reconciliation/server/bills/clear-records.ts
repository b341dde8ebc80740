import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { clearDayUses, type RecordedDay } from "../../../platforms/server/index.ts";

/** A platform's record of a day's uses is kept for so long. */
const KEPT_DAYS = 90;
const AT_ONCE = 500;

/** Every ten minutes: records of uses that no day is matched with any more. A day that has a difference, or one beside it, keeps its own. */
export const clearRecords = lookAfter<RecordedDay>({
  name: "clear-platform-records",
  every: 600,
  due: async (tx, now) => {
    const before = addDays(shanghaiDay(Date.parse(now)), -KEPT_DAYS);
    const { rows } = await sql<RecordedDay>`select b.service_provider_id, b.account_id, b.day::text as day from platform_bill_days b
      join platform_accounts a on a.service_provider_id = b.service_provider_id and a.id = b.account_id
      where b.uses_taken_at is not null and b.cleared_at is null and b.day < ${before}::date and not exists (select from recon_days d
        where d.service_provider_id = b.service_provider_id and d.merchant_id = b.merchant_id and d.source = a.platform and d.status <> 'closed'
          and d.open_count > 0 and d.day between b.day - 1 and b.day + 1)
      order by b.day limit ${AT_ONCE}`.execute(tx);
    return rows;
  },
  one: async (services, day) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    await withScope(services.pool, platformScope("clear a platform's record"), (tx) => clearDayUses(tx, day, now));
  },
});
