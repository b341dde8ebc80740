import { sql } from "kysely";
import { addMonths, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";

interface Month {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** Its first day. */
  readonly month: string;
}
const AN_HOUR_MS = 3_600_000;
/**
 * Each hour: a merchant's month that is over, with an hour for what was under way, becomes a statement. Months in which nothing moved have none.
 * Of several that are missing the earliest comes first, so that what is carried over is known.
 */
export const makeStatements = lookAfter<Month>({
  name: "make-subsidy-statements",
  every: 3_600,
  due: async (tx, now) => {
    const over = `${shanghaiDay(Date.parse(now) - AN_HOUR_MS).slice(0, 7)}-01`;
    const { rows } = await sql<Month>`select a.service_provider_id, a.merchant_id, x.month::text as month from subsidy_accounts a
      cross join lateral (select max(s.month) as last from subsidy_statements s where s.service_provider_id = a.service_provider_id and s.merchant_id = a.merchant_id) l
      cross join lateral (select date_trunc('month', min(e.occurred_at) at time zone 'Asia/Shanghai')::date as month from subsidy_entries e
        where e.service_provider_id = a.service_provider_id and e.merchant_id = a.merchant_id and e.cause <> 'settled'
          and (l.last is null or e.occurred_at >= (l.last + interval '1 month') at time zone 'Asia/Shanghai')) x
      where a.kind = 'claim' and x.month < ${over}::date order by x.month limit 10000`.execute(tx);
    return rows;
  },
  one: (services, { service_provider_id, merchant_id, month }) =>
    withScope(services.pool, platformScope("a statement of subsidies"), async (tx) => {
      const now_ms = services.clock.now_ms();
      const [from, to] = [dayStart(month), dayStart(addMonths(month, 1))];
      await sql`insert into subsidy_statements (service_provider_id, id, merchant_id, month, carried_cents, earned_cents, back_cents, due_cents, state, created_at)
        select ${service_provider_id}, ${services.ids.uuid(now_ms)}, ${merchant_id}, ${month}::date, x.carried, x.earned, x.back, x.carried + x.earned - x.back,
          case when x.carried + x.earned - x.back > 0 then 'WAITING' else 'CARRIED' end, ${new Date(now_ms).toISOString()}
        from (select coalesce((select least(s.due_cents, 0) from subsidy_statements s where s.service_provider_id = ${service_provider_id}
              and s.merchant_id = ${merchant_id} order by s.month desc limit 1), 0) as carried,
            coalesce(sum(p.amount_cents) filter (where e.cause = 'payment'), 0)::bigint as earned,
            coalesce(-sum(p.amount_cents) filter (where e.cause = 'refund'), 0)::bigint as back
          from subsidy_entries e join subsidy_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
          join subsidy_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id and a.kind = 'claim'
          where e.service_provider_id = ${service_provider_id} and e.merchant_id = ${merchant_id} and e.occurred_at >= ${from} and e.occurred_at < ${to}) x
        on conflict (service_provider_id, merchant_id, month) do nothing`.execute(tx);
    }),
});
