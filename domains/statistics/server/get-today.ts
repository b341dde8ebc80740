import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx, type Route } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getToday } from "../contract/index.ts";
import { payDrill, refundDrill } from "./drills.ts";
import { added, figuresOf, type DaySums, type Sums } from "./takings/figures.ts";
import { readHours } from "./takings/read-takings.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Today so far, and yesterday and the same weekday of last week both up to this time of day and whole. */
export const getTodayRoute: Route = implement(getToday, async (ctx) => {
  const day = shanghaiDay(ctx.now_ms);
  const [yesterday, lastWeek] = [addDays(day, -1), addDays(day, -7)];
  const since_ms = ctx.now_ms - Date.parse(dayStart(day));
  const hours = await readHours(ctx.tx, ctx.scope, [day, yesterday, lastWeek]);
  const begun = await readBegunHour(ctx, [yesterday, lastWeek], since_ms);
  const whole = (given: string): Sums => added(hours.filter((row) => row.day === given));
  const soFar = (given: string): Sums =>
    added([
      ...hours.filter((row) => row.day === given && row.hour < Math.floor(since_ms / HOUR_MS)),
      ...begun.filter((row) => row.day === given),
    ]);
  const today = { from: day, to: day };
  return {
    asOf: ctx.now,
    day,
    today: figuresOf(whole(day)),
    yesterdaySoFar: figuresOf(soFar(yesterday)),
    yesterday: figuresOf(whole(yesterday)),
    lastWeekSoFar: figuresOf(soFar(lastWeek)),
    lastWeek: figuresOf(whole(lastWeek)),
    drill: { pay: payDrill(today), refund: refundDrill(today) },
  };
});

/** What past days took in the hour that today is in, up to today's time of day. Sums by hour can't tell it; the ledger does. */
async function readBegunHour(ctx: Ctx, days: readonly string[], since_ms: number): Promise<DaySums[]> {
  const begun_ms = since_ms % HOUR_MS;
  if (begun_ms === 0) return [];
  const parts = days.map((day) => {
    const until_ms = Date.parse(dayStart(day)) + (since_ms % DAY_MS);
    const [from, until] = [until_ms - begun_ms, until_ms].map((ms) => new Date(ms).toISOString());
    return sql`select ${day}::date as day, count(*) filter (where t.cause = 'payment') as pay_count, coalesce(sum(t.gross_cents), 0)::bigint as gross_cents,
      coalesce(sum(t.discount_cents), 0)::bigint as discount_cents, coalesce(sum(t.paid_cents), 0)::bigint as paid_cents,
      coalesce(sum(t.fee_cents), 0)::bigint as fee_cents, count(*) filter (where t.cause = 'refund') as refund_count,
      coalesce(sum(t.refund_cents), 0)::bigint as refund_cents, coalesce(sum(t.refund_fee_cents), 0)::bigint as refund_fee_cents
      from ledger_entries t
      where ${inScope(ctx.scope, "t")} and t.service_provider_id in (select p.id from service_providers p)
        and t.cause in ('payment', 'refund') and t.occurred_at >= ${from} and t.occurred_at < ${until}`;
  });
  const { rows } = await sql<DaySums>`${sql.join(parts, sql` union all `)}`.execute(ctx.tx);
  return rows;
}
