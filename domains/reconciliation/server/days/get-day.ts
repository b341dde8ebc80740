import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { differenceClass, getReconDay, getReconMonth, isAsked, type DayState, type DifferenceClass } from "../../contract/index.ts";
import { readMerchant } from "../bills/own-merchant.ts";
import { dayColumns, type DayFound, dayNames, fileColumns, type FileFound, gap, mustSeeWhole, shownDay, stateOf } from "../rows.ts";

export const getReconDayRoute = implement(getReconDay, async (ctx, { id }) => {
  mustSeeWhole(ctx.scope);
  const found =
    await sql<DayFound>`select ${dayColumns} from recon_days d ${dayNames} where d.id = ${id} and ${inScope(ctx.scope, "d", "merchant")}`.execute(
      ctx.tx,
    );
  const day = found.rows[0];
  if (!day) throw notFound("对账日");
  const ofDay = sql`f.merchant_id = ${day.merchantId} and f.source = ${day.source} and f.day = ${day.day}::date and ${inScope(ctx.scope, "f", "merchant")}`;
  const files = await sql<FileFound>`select ${fileColumns} from bill_files f
      join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id
    where ${ofDay} order by f.created_at desc limit 20`.execute(ctx.tx);
  const classes = await sql<{ class: DifferenceClass; count: number; open: number; cents: never }>`
    select d.class, count(*)::int as count, count(*) filter (where d.status <> 'resolved')::int as open, coalesce(sum(${gap}), 0)::bigint as cents
    from recon_differences d where d.day_id = ${id} and d.resolution is distinct from 'vanished' and ${inScope(ctx.scope, "d", "merchant")} group by 1`.execute(
    ctx.tx,
  );
  const flows = await sql<{ businessType: string; count: number; inCents: never; outCents: never }>`
    select r.business_type as "businessType", count(*)::int as count, coalesce(sum(r.amount_cents) filter (where r.amount_cents > 0), 0)::bigint as "inCents",
      coalesce(-sum(r.amount_cents) filter (where r.amount_cents < 0), 0)::bigint as "outCents"
    from bill_files f join bill_flows r on r.service_provider_id = f.service_provider_id and r.file_id = f.id
    where ${ofDay} and f.status = 'matched' and f.bill_type = 'FUNDFLOW' group by 1 order by 1`.execute(ctx.tx);
  const taken = isAsked(day.source) ? await takenOf(ctx, day) : null;
  const blank = (one: DifferenceClass) => ({ class: one, count: 0, open: 0, cents: 0 as never });
  return {
    day: shownDay(day),
    files: files.rows,
    perClass: differenceClass.values.map((one) => classes.rows.find((row) => row.class === one) ?? blank(one)),
    flows: flows.rows,
    taken,
  };
});
/** How the platform's day came last. */
async function takenOf(ctx: Ctx, { merchantId, source, day }: DayFound) {
  const { rows } = await sql<{ whole: boolean; why: string; at: never }>`select b.whole, b.why, b.taken_at as at from platform_bill_days b
      join platform_accounts a on a.service_provider_id = b.service_provider_id and a.id = b.account_id
    where b.merchant_id = ${merchantId} and a.platform = ${source} and b.day = ${day}::date and ${inScope(ctx.scope, "b", "merchant")}
    order by b.taken_at desc limit 1`.execute(ctx.tx);
  return rows[0] ?? null;
}

export const getReconMonthRoute = implement(getReconMonth, async (ctx, { merchantId, source, month }) => {
  const merchant = await readMerchant(ctx.tx, ctx.scope, merchantId);
  const first = `${month}-01`;
  const today = shanghaiDay(ctx.now_ms);
  const { rows } = await sql<{ day: string; id: string; state: DayState; openCount: number; netCents: number }>`
    select d.day, d.id, ${stateOf} as state, d.open_count as "openCount", d.ours_pay_cents - d.ours_refund_cents as "netCents"
    from recon_days d where d.service_provider_id = ${merchant.service_provider_id} and d.merchant_id = ${merchant.merchant_id} and d.source = ${source}
      and d.day >= ${first}::date and d.day < ${first}::date + interval '1 month' and ${inScope(ctx.scope, "d", "merchant")}`.execute(
    ctx.tx,
  );
  const days = [];
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) {
    const row = rows.find((one) => one.day === day);
    days.push(
      row
        ? { ...row, netCents: row.netCents as never }
        : { day, id: null, state: day < today ? ("none" as const) : ("future" as const), openCount: 0, netCents: 0 as never },
    );
  }
  return { days };
});
