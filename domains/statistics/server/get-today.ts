import { sql } from "kysely";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx, type Route } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getToday } from "../contract/index.ts";
import { payDrill, refundDrill } from "./drills.ts";
import { added, ENTRY_SUMS, figuresOf, SUMS, type DaySums, type Sums } from "./takings/figures.ts";
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
    return sql`select ${day}::date as day, ${SUMS} from (select ${ENTRY_SUMS} from ledger_entries e
      left join pay_orders o on o.service_provider_id = e.service_provider_id and o.id = e.order_id
      where ${inScope(ctx.scope, "e")} and e.service_provider_id in (select p.id from service_providers p)
        and e.cause in ('payment', 'refund') and e.occurred_at >= ${from} and e.occurred_at < ${until}) t`;
  });
  const { rows } = await sql<DaySums>`${sql.join(parts, sql` union all `)}`.execute(ctx.tx);
  return rows;
}
