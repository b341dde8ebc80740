import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell, type Told } from "../../../messages/server/index.ts";
import { FEWEST_FOR_A_RATE, FEWEST_OF_A_WEEK } from "../../contract/abnormal.ts";

/** How far back a last order is looked for. */
const LOOK_BACK_DAYS = 90;

/** Every morning, for each provider by its own limits: what began is kept and told, what goes on stays, what is over is closed. */
export const findAbnormalStores: Job = job({
  name: "find-abnormal-stores",
  data: z.object({}),
  every: "30 6 * * *",
  concurrency: 1,
  lease_s: 1800,
  async run(services) {
    const scope = platformScope("find-abnormal-stores");
    const providers = await withScope(services.pool, scope, (tx) =>
      tx.selectFrom("service_providers").select("id").where("state", "=", "active").orderBy("id").execute(),
    );
    for (const { id } of providers) await withScope(services.pool, scope, (tx) => lookAt(tx, services, id), { deadline_ms: 60_000 });
  },
});

async function lookAt(tx: Transaction, services: Services, provider: string): Promise<void> {
  const now_ms = services.clock.now_ms();
  const [now, today] = [new Date(now_ms).toISOString(), shanghaiDay(now_ms)];
  const found = await sql<{ id: string }>`
    with limits as (
      select coalesce(max(silent_days), 7) as silent_days, coalesce(max(drop_percent), 50) as drop_percent,
        coalesce(max(refund_percent), 20) as refund_percent, coalesce(max(offline_hours), 24) as offline_hours
      from abnormal_limits where service_provider_id = ${provider}),
    taken as (
      select store_id, max(day) filter (where pay_count > 0) as last_day,
        coalesce(sum(paid_cents) filter (where day >= ${today}::date - 7), 0)::bigint as week_cents,
        coalesce(sum(pay_count) filter (where day >= ${today}::date - 7), 0)::int as week_count,
        coalesce(sum(refund_count) filter (where day >= ${today}::date - 7), 0)::int as week_refunds,
        coalesce(sum(paid_cents) filter (where day >= ${today}::date - 35 and day < ${today}::date - 7), 0)::bigint as month_cents,
        coalesce(sum(pay_count) filter (where day >= ${today}::date - 35 and day < ${today}::date - 7), 0)::int as month_count
      from takings_daily
      where service_provider_id = ${provider} and day >= ${today}::date - ${sql.lit(LOOK_BACK_DAYS)} and day < ${today}::date group by store_id),
    silence as (
      select s.merchant_id, s.id as store_id, (s.created_at at time zone 'Asia/Shanghai')::date as opened,
        t.last_day, t.week_cents, t.week_count, t.week_refunds, t.month_cents, t.month_count,
        ${today}::date - coalesce(t.last_day, (s.created_at at time zone 'Asia/Shanghai')::date - 1) - 1 as days
      from stores s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id and m.state = 'active'
        left join taken t on t.store_id = s.id
      where s.service_provider_id = ${provider} and s.state = 'active'),
    machines as (
      select d.merchant_id, d.store_id, count(*)::int as devices,
        count(*) filter (where d.last_seen_at < ${now}::timestamptz - l.offline_hours * interval '1 hour')::int as offline,
        min(d.last_seen_at) filter (where d.last_seen_at < ${now}::timestamptz - l.offline_hours * interval '1 hour') as since
      from devices d join silence s on s.store_id = d.store_id, limits l
      where d.service_provider_id = ${provider} and d.state = 'active' group by 1, 2),
    findings as (
      select merchant_id, store_id, 1 as reason, coalesce(last_day + 1, opened) as since,
        jsonb_build_object('days', days, 'lastDay', last_day) as facts
      from silence, limits where days >= silent_days
      union all
      select merchant_id, store_id, 2, ${today}::date - 7, jsonb_build_object('weekCents', week_cents, 'meanCents', round(month_cents / 4.0))
      from silence, limits where days < silent_days and month_count >= ${sql.lit(FEWEST_OF_A_WEEK * 4)}
        and week_cents * 400 <= month_cents * (100 - drop_percent)
      union all
      select merchant_id, store_id, 3, ${today}::date - 7, jsonb_build_object('refunds', week_refunds, 'orders', week_count)
      from silence, limits where week_count >= ${sql.lit(FEWEST_FOR_A_RATE)} and week_refunds * 100 > week_count * refund_percent
      union all
      select merchant_id, store_id, 4, (since at time zone 'Asia/Shanghai')::date, jsonb_build_object('offline', offline, 'devices', devices)
      from machines where offline > 0),
    kept as (
      insert into abnormal_stores as a (service_provider_id, id, merchant_id, store_id, reason, facts, since, found_at, seen_on)
        select ${provider}::uuid, gen_random_uuid(), merchant_id, store_id, reason, facts, since, ${now}::timestamptz, ${today}::date from findings
      on conflict (service_provider_id, store_id, reason) where status < 2
        do update set facts = excluded.facts, seen_on = excluded.seen_on returning a.id, a.found_at)
    select id from kept where found_at = ${now}::timestamptz`.execute(tx);
  await sql`update abnormal_stores set status = 2, ended_at = ${now}::timestamptz
    where service_provider_id = ${provider} and status < 2 and seen_on < ${today}::date`.execute(tx);
  if (found.rows.length > 0)
    await tellOf(
      tx,
      provider,
      found.rows.map(({ id }) => id),
      now,
    );
}

/** Tells the provider, and each agent, group, team and salesman how many of theirs were found. */
async function tellOf(tx: Transaction, provider: string, ids: readonly string[], at: string): Promise<void> {
  const { rows } = await sql<{ level: Told["level"]; node: string; count: number }>`
    select n.level, n.node, count(distinct a.store_id)::int as count
    from abnormal_stores a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id,
      lateral (values ('SP', a.service_provider_id), ('AG', m.agent_id), ('GP', m.business_group_id), ('TM', m.business_team_id),
        ('SM', m.salesman_id)) as n(level, node)
    where a.service_provider_id = ${provider} and a.id = any(${ids}::uuid[]) and n.node is not null group by 1, 2`.execute(tx);
  for (const { level, node, count } of rows)
    await tell(tx, level === "SP" ? { level, provider } : ({ level, provider, node } as Told), {
      kind: "abnormalStore",
      title: `新发现 ${count} 家异常门店`,
      href: "/store/abnormal?status=0",
      item: "/store/abnormal",
      once: `abnormal:${at.slice(0, 10)}`,
      at,
    });
}
