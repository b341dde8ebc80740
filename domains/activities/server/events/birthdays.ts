import { sql } from "kysely";
import { z } from "zod";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { birthdayIn } from "../../../vip/server/index.ts";
import type { ActivityTerms } from "../../contract/index.ts";
import { grant } from "../grants/grant.ts";

const SCOPE = platformScope("birthday activities");
/** A day on which the service slept is caught up for so long. */
const CATCH_UP_DAYS = 7;

interface Running {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  /** The first Shanghai day on which it gives. */
  readonly since: string;
  readonly terms: ActivityTerms;
}
/**
 * 生日有礼, at 00:05: who has their birthday so many days from now, once for a human and the year of the birthday. Run again it gives
 * nothing twice.
 */
export const grantBirthdays = job({
  name: "grant-birthdays",
  data: z.object({}),
  every: "5 0 * * *",
  concurrency: 1,
  lease_s: 3_600,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const today = shanghaiDay(now_ms);
    const activities = await withScope(services.pool, SCOPE, (tx) => runningOn(tx, now), { readOnly: true });
    for (const { service_provider_id, id: activity_id, since, ...activity } of activities)
      for (let n = 0; n <= CATCH_UP_DAYS && addDays(today, -n) >= since; n++) {
        const birthday = addDays(today, activity.terms.daysBefore - n);
        const due = await withScope(
          services.pool,
          SCOPE,
          (tx) => celebrants(tx, { service_provider_id, activity_id, ...activity }, birthday),
          { readOnly: true },
        );
        for (const { member_id, store_id } of due)
          await withScope(services.pool, SCOPE, (tx) =>
            grant(tx, services, { service_provider_id, activity_id, member_id, store_id, occasion: birthday.slice(0, 4), marks: [] }),
          ).catch((error: unknown) =>
            services.log.error({ err: error, member: member_id }, "a birthday's gift will be granted the next morning"),
          );
      }
  },
});
async function runningOn(tx: Transaction, now: string): Promise<Running[]> {
  const { rows } = await sql<Running>`select a.service_provider_id, a.merchant_id, a.id, t.terms,
      to_char(greatest(a.begins_at, a.decided_at) at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as since
    from activities a join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    where a.kind = 'birthday' and a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now} order by a.id`.execute(tx);
  return rows;
}

interface Asked {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly activity_id: string;
  readonly terms: ActivityTerms;
}
/**
 * Whose birthday a day is, of those who were members by its end and have nothing of it yet. Of Feb 29 it is the day before where the year
 * has none. A birthday that was changed in its year counts from the next on.
 */
async function celebrants(tx: Transaction, { service_provider_id, merchant_id, activity_id, terms }: Asked, birthday: string) {
  const year = birthday.slice(0, 4);
  const ends = [birthday.slice(5), ...(birthdayIn(Number(year), "2000-02-29") === birthday ? ["02-29"] : [])];
  const { rows } = await sql<{ member_id: string; store_id: string }>`select m.id as member_id, h.store_id from members m
    join member_stores h on h.service_provider_id = m.service_provider_id and h.member_id = m.id and h.home
    where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id} and m.stage = 1 and m.status = 1
      and to_char(m.birthday, 'MM-DD') = any(${ends}::text[]) and m.created_at < ${dayStart(addDays(birthday, 1))}
      and coalesce(to_char(m.birthday_changed_on, 'YYYY') < ${year}, true)
      and (${terms.storeIds.length === 0} or h.store_id = any(${[...terms.storeIds]}::uuid[]))
      and not exists (select from activity_grants g where g.service_provider_id = m.service_provider_id and g.activity_id = ${activity_id}
        and g.member_id = m.id and g.occasion = ${year})
    order by m.id`.execute(tx);
  return rows;
}
