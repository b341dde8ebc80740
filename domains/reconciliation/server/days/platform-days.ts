import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { platformAccountOf, takeDay } from "../../../platforms/server/index.ts";
import { billSource, GROUP_BUY, TAKEAWAY } from "../../contract/index.ts";
import type { DayRef } from "../rows.ts";
import { noteLateChanges } from "./late-changes.ts";
import { matchDay } from "./match-day.ts";
import { RUNNING_DAYS } from "./match-takeaway-day.ts";
import { SETTLED_DAYS } from "./match-voucher-day.ts";

const SCOPE = platformScope("match platforms' days");
/** A day of a big merchant is a second or two; a cold database may need more. */
const MATCH_MS = 2 * 60_000;
/** From here on the platforms' night (02:10) is in. */
const READY_MS = 160 * 60_000;
const GROUPS = `{${GROUP_BUY.join(",")}}`;
const TAKEAWAYS = `{${TAKEAWAY.join(",")}}`;
const SOURCES = `{${[...GROUP_BUY, ...TAKEAWAY].join(",")}}`;
/** What was written before a match may have been committed after it: within this time it counts as new once more. */
const LATER = sql`interval '5 minutes'`;

/**
 * Every ten minutes: days of platforms that were told something new since they were matched (the night's bills, a sheet, an order that came
 * late), and from 02:40 on the day before, and those of which time makes something a difference; once an hour takeaway days that wait for an order. Closed days
 * stay as they are: what was told since is noted beside them.
 */
export const matchPlatformDays: Job = job({
  name: "match-platform-days",
  data: z.object({}),
  every: "*/10 * * * *",
  concurrency: 1,
  lease_s: 3_600,
  retryLimit: 0,
  run: async (services) => {
    const now_ms = services.clock.now_ms();
    for (const { closed, ...ref } of await dueDays(services, now_ms))
      await (closed ? lookAlone : matchAlone)(services, ref).catch((error: unknown) => {
        // Somebody closed it just now.
        if (!(error instanceof Refusal)) services.log.error({ err: error, ref }, "a platform's day comes again in ten minutes");
      });
  },
});
const matchAlone = (services: Services, ref: DayRef) =>
  withScope(services.pool, SCOPE, (tx) => matchDay(tx, ref, new Date(services.clock.now_ms()).toISOString()), { deadline_ms: MATCH_MS });
const lookAlone = (services: Services, ref: DayRef) =>
  withScope(services.pool, SCOPE, (tx) => noteLateChanges(tx, ref, new Date(services.clock.now_ms()).toISOString()), {
    deadline_ms: MATCH_MS,
  });

interface DueDay extends DayRef {
  readonly closed: boolean;
}
async function dueDays(services: Services, now_ms: number): Promise<readonly DueDay[]> {
  const today = shanghaiDay(now_ms);
  const ready = new Date(Date.parse(dayStart(today)) + READY_MS).toISOString();
  const now = new Date(now_ms).toISOString();
  // Once an hour all of a day and more, for what a stop may have left; in between what is fresh.
  const since = new Date(now_ms - (new Date(now_ms).getUTCMinutes() < 10 ? 26 * 60 : 30) * 60_000).toISOString();
  const ago = (days: number): string => addDays(today, -days);
  const { rows } = await withScope(services.pool, SCOPE, (tx) =>
    sql<DueDay>`
      select c.service_provider_id, c.merchant_id, c.source, c.day::text as day, coalesce(d.status = 'closed', false) as closed from (
          select e.service_provider_id, e.merchant_id, e.platform::text as source, e.day, max(e.added_at) + ${LATER} as told_at from platform_entries e
            where e.added_at > ${since}::timestamptz and e.platform = any(${GROUPS}::text[])
              -- The day before of a platform that is asked comes as a whole in the night.
              and (e.platform <> 'dy' or e.day < ${ago(1)}::date or ${now}::timestamptz >= ${ready}::timestamptz) group by 1, 2, 3, 4
          -- What is taken back also tells the day of its use.
          union all select u.service_provider_id, u.merchant_id, u.platform::text, u.day, r.added_at + ${LATER} from platform_entries r
            join platform_entries u on u.service_provider_id = r.service_provider_id and u.merchant_id = r.merchant_id and u.platform = r.platform
              and u.certificate_id = r.certificate_id and u.verify_id = r.verify_id and u.kind in ('verify', 'external')
            where r.added_at > ${since}::timestamptz and r.kind = 'reverse' and r.platform = any(${GROUPS}::text[]) and u.day < r.day
          union all select b.service_provider_id, b.merchant_id, a.platform::text, b.day, b.taken_at + ${LATER} from platform_bill_days b
            join platform_accounts a on a.service_provider_id = b.service_provider_id and a.id = b.account_id where b.taken_at > ${since}::timestamptz
          union all select o.service_provider_id, o.merchant_id, o.platform, (at.moment at time zone 'Asia/Shanghai')::date, o.updated_at + ${LATER}
            from takeaway_orders o cross join lateral (values (o.placed_at), (o.completed_at)) at (moment)
            where o.updated_at > ${since}::timestamptz and o.platform = any(${SOURCES}::text[]) and at.moment is not null
          union all select f.service_provider_id, f.merchant_id, a.platform::text, (f.told_at at time zone 'Asia/Shanghai')::date, f.wanted_at + ${LATER}
            from takeaway_fetches f join platform_accounts a on a.service_provider_id = f.service_provider_id and a.id = f.account_id where f.next_at is not null
          union all select d.service_provider_id, d.merchant_id, d.source, d.day, ${now}::timestamptz from recon_days d
            where d.source = any(${TAKEAWAYS}::text[]) and d.day >= ${ago(10)}::date and d.status = 'open' and (d.open_count > 0 or not d.has_bill)
              and d.matched_at < ${now}::timestamptz - interval '1 hour'
          union all select a.service_provider_id, a.merchant_id, a.platform::text, ${ago(1)}::date, ${dayStart(today)}::timestamptz from platform_accounts a
            where a.state = 'active' and a.platform = 'dy' and ${now}::timestamptz >= ${ready}::timestamptz
          -- A platform's store was mapped: what stood under none is looked at anew.
          union all select d.service_provider_id, d.merchant_id, d.source, d.day, o.updated_at + ${LATER} from other_stores o
            join recon_days d on d.service_provider_id = o.service_provider_id and d.merchant_id = o.merchant_id and d.status = 'open' and d.open_count > 0
              and d.day >= ${ago(90)}::date and exists (select from recon_differences x where x.service_provider_id = d.service_provider_id and x.day_id = d.id
                and x.hint = 'unmapped' and x.status <> 'resolved')
              and d.source in (o.platform, case o.platform when 'meituan' then 'meituan-wm' end) and d.source = any(${SOURCES}::text[])
            where o.mapped_store_id is not null and o.updated_at > ${since}::timestamptz
          -- Opened again.
          union all select d.service_provider_id, d.merchant_id, d.source, d.day, ${now}::timestamptz from recon_days d
            where d.source = any(${SOURCES}::text[]) and d.status = 'open' and d.matched_at is null
          -- What only time makes a difference; a night that was missed is made up for.
          union all select d.service_provider_id, d.merchant_id, d.source, d.day, due.at from recon_days d
            cross join lateral (select (d.day + case when d.source = any(${TAKEAWAYS}::text[]) then ${RUNNING_DAYS}::int else ${SETTLED_DAYS}::int end)::timestamp at time zone 'Asia/Shanghai' as at) due
            where d.source = any(${SOURCES}::text[]) and d.status = 'open' and d.day >= ${ago(40)}::date and due.at <= ${dayStart(today)}::timestamptz
              and ${now}::timestamptz >= ${ready}::timestamptz) c
        left join recon_days d on d.service_provider_id = c.service_provider_id and d.merchant_id = c.merchant_id and d.source = c.source and d.day = c.day
      where c.day < ${today}::date and (d.id is null or d.matched_at is null or greatest(d.matched_at, d.late_seen_at) < c.told_at)
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4`.execute(tx),
  );
  return rows;
}

const oneDay = z.object({ service_provider_id: id, merchant_id: id, source: z.literal("dy"), day: z.string() });
type AskedDay = DayRef & { readonly source: "dy" };
/** Takes a day of an account at the platform anew, and matches it; where that comes to nothing, the merchant is told why. */
export const retakeDay: Job<typeof oneDay> = job({
  name: "retake-platform-day",
  data: oneDay,
  concurrency: 1,
  lease_s: 1_800,
  retryLimit: 2,
  run: async (services, ref) => {
    const whole = await takeAnew(services, ref);
    const refused = await matchAlone(services, ref).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      },
    );
    // Somebody closed it just now: they know.
    if (refused && refused.code !== "day-closed") await tellRefused(services, ref, whole === undefined ? NO_ACCOUNT : refused.message);
  },
});
const NO_ACCOUNT = "平台账号没有启用，取不到账单";
async function tellRefused(services: Services, ref: AskedDay, body: string): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, SCOPE, (tx) =>
    tell(
      tx,
      { level: "MCH", provider: ref.service_provider_id, node: ref.merchant_id },
      {
        kind: "dayChanged",
        title: `${ref.day} ${billSource.label(ref.source)}重新取账单没有取全，还没有对账`,
        body,
        href: `/reconciliation/bill?from=${ref.day}&to=${ref.day}&source=${ref.source}`,
        item: "/reconciliation/bill",
        once: `recon-retake:${ref.merchant_id}:${ref.source}:${ref.day}:${now}`,
        at: now,
      },
    ),
  );
}
/** The day, and those beside it whose record is gone: a day is held against all three. */
async function daysToTake(services: Services, ref: AskedDay): Promise<readonly string[]> {
  const { rows } = await withScope(services.pool, SCOPE, (tx) =>
    sql<{ day: string }>`select b.day::text as day from platform_bill_days b
      join platform_accounts a on a.service_provider_id = b.service_provider_id and a.id = b.account_id
      where b.service_provider_id = ${ref.service_provider_id} and a.merchant_id = ${ref.merchant_id} and a.platform = ${ref.source}
        and b.day in (${ref.day}::date - 1, ${ref.day}::date + 1) and b.cleared_at is not null`.execute(tx),
  );
  return [...new Set([ref.day, ...rows.map(({ day }) => day)])].toSorted();
}
/** @returns whether all came whole; undefined where nothing signs for the merchant. Outside any transaction. */
async function takeAnew(services: Services, ref: AskedDay): Promise<boolean | undefined> {
  const account = await withScope(services.pool, SCOPE, (tx) => platformAccountOf(tx, services, { ...ref, platform: ref.source }));
  if (!account?.active) return undefined;
  let whole = true;
  for (const day of await daysToTake(services, ref)) whole = (await takeDay(services, account, day)) && whole;
  return whole;
}
/**
 * Asks the platform for a day while somebody waits for it; one of more uses than `most_uses` is taken in the background.
 * @returns what came of it, in words, and of how many uses
 */
export async function askForDay(
  services: Services,
  ref: AskedDay,
  most_uses: number,
): Promise<{ readonly said: string; readonly uses: number }> {
  const days = await daysToTake(services, ref);
  const { rows } = await withScope(services.pool, SCOPE, (tx) =>
    sql<{ uses: number }>`select count(*)::int as uses from platform_entries e where e.service_provider_id = ${ref.service_provider_id}
      and e.merchant_id = ${ref.merchant_id} and e.platform = ${ref.source} and e.day = any(${days}::date[]) and e.kind in ('verify', 'external')`.execute(
      tx,
    ),
  );
  const { uses } = rows[0]!;
  if (uses > most_uses) {
    await withScope(services.pool, SCOPE, (tx) => services.jobs.enqueue(tx, retakeDay, ref));
    return { said: "核销很多，已在后台重新取账单，取完自动对账", uses: 0 };
  }
  const whole = await takeAnew(services, ref);
  if (whole === undefined) return { said: NO_ACCOUNT, uses: 0 };
  return { said: whole ? "已重新取平台的核销和账单" : "平台的账单没有取完，请稍后再试", uses };
}
