import { sql } from "kysely";
import { z } from "zod";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";

const AT_ONCE = 20_000;
const DIMENSIONS = sql`service_provider_id, merchant_id, day, at_store_id, sold_store_id, sold_month, cause`;
const MONTHS = sql`service_provider_id, merchant_id, month, sold_store_id, sold_month, cause`;

/**
 * Every change of what is owed, by day, store, selling store, month of sale and cause: what is folded, and what is not yet. Exact at any moment.
 * @example sql`select sum(principal_cents) from (${valueSums}) d where d.merchant_id = … and d.day <= …`
 */
export const valueSums = sql`
  select service_provider_id, merchant_id, day, at_store_id, sold_store_id, sold_month, cause, principal_cents, gift_cents, count from value_daily
  union all select service_provider_id, merchant_id, day, at_store_id, sold_store_id, sold_month, cause, principal_cents, gift_cents, 1 from value_fresh`;

/**
 * What changed what is owed, by selling store, month of sale and cause, as rows that add up to what is owed at the end of any day from
 * `from` on: each whole month before that of `from` is one row, under its last day. Exact at any moment.
 * @example sql`select sum(principal_cents) from (${valueOwed("2026-11-25")}) d where d.merchant_id = … and d.day <= '2026-11-25'`
 */
export const valueOwed = (from: string) => sql`
  select service_provider_id, merchant_id, (month + interval '1 month' - interval '1 day')::date as day, sold_store_id, sold_month, cause, principal_cents, gift_cents
    from value_months where month < date_trunc('month', ${from}::date)::date
  union all select service_provider_id, merchant_id, day, sold_store_id, sold_month, cause, principal_cents, gift_cents
    from value_daily where day >= date_trunc('month', ${from}::date)::date
  union all select service_provider_id, merchant_id, day, sold_store_id, sold_month, cause, principal_cents, gift_cents from value_fresh`;

/** Folds what is fresh into the sums of days and of months. @returns how many moves */
export async function foldValue(tx: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from value_fresh where (service_provider_id, move_id) in (
        select service_provider_id, move_id from value_fresh limit ${sql.lit(AT_ONCE)} for update skip locked) returning *),
      folded as (insert into value_daily as d
        select ${DIMENSIONS}, sum(principal_cents), sum(gift_cents), count(*) from gone group by ${DIMENSIONS} order by ${DIMENSIONS}
        on conflict (${DIMENSIONS}) do update set principal_cents = d.principal_cents + excluded.principal_cents,
          gift_cents = d.gift_cents + excluded.gift_cents, count = d.count + excluded.count),
      months as (insert into value_months as d
        select ${MONTHS}, sum(principal_cents), sum(gift_cents) from (select g.*, date_trunc('month', day)::date as month from gone g) g
          group by ${MONTHS} order by ${MONTHS}
        on conflict (${MONTHS}) do update set principal_cents = d.principal_cents + excluded.principal_cents, gift_cents = d.gift_cents + excluded.gift_cents)
    select count(*)::int as count from gone`.execute(tx);
  return rows[0]?.count ?? 0;
}
export const foldValueMinutely = job({
  name: "fold-value",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  run: async ({ pool }) => {
    while ((await withScope(pool, platformScope("fold stored value"), foldValue)) === AT_ONCE);
  },
});
