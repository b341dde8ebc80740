import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { all, narrowed, onDays } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { type dayFilter, dayState, listReconDays, summariseReconDays, type DayState } from "../../contract/index.ts";
import { dayColumns, type DayFound, dayNames, mustSeeWhole, ofSource, roundMills, shownDay, sideOf, stateOf } from "../rows.ts";

type DayFilter = Partial<z.output<z.ZodObject<typeof dayFilter>>>;
/** The filter of the list, its sums and its export. */
const daysWhere = (scope: Scope, { source, group, state, ...filter }: DayFilter): RawBuilder<boolean> =>
  all([
    inScope(scope, "d", "merchant"),
    narrowed(filter, "d"),
    ofSource({ source, group }),
    onDays(filter, "d.day"),
    state && sql`${stateOf} = ${state}`,
  ]);

/** The list of days, for screen and file. */
export function daysListed(scope: Scope, filter: DayFilter): Listed {
  mustSeeWhole(scope);
  return {
    columns: dayColumns,
    from: sql`recon_days d ${dayNames}`,
    counted: sql`recon_days d`,
    where: daysWhere(scope, filter),
    order: "d.day",
    type: "date",
  };
}
export const listReconDaysRoute = implement(listReconDays, async (ctx, input) => {
  const { items, ...rest } = await listPage<DayFound>(ctx.tx, input, daysListed(ctx.scope, input));
  return { items: items.map(shownDay), ...rest };
});

/** Sums over the whole filter; the counts of the tabs leave the tab itself out. */
export const summariseReconDaysRoute = implement(summariseReconDays, async (ctx, { state, ...filter }) => {
  mustSeeWhole(ctx.scope);
  const { rows } = await sql<{ state: DayState; n: number; open: number; settled: number; mills: number } & Record<string, number>>`
    select state, count(*)::int as n, sum(open_count)::int as open, sum(settled_cents)::bigint as settled,
      sum(ours_pay_count)::int as ours_pay_count, sum(ours_pay_cents)::bigint as ours_pay_cents, sum(ours_refund_count)::int as ours_refund_count,
      sum(ours_refund_cents)::bigint as ours_refund_cents, sum(ours_fee_cents)::bigint as ours_fee_cents,
      sum(bill_pay_count)::int as bill_pay_count, sum(bill_pay_cents)::bigint as bill_pay_cents, sum(bill_refund_count)::int as bill_refund_count,
      sum(bill_refund_cents)::bigint as bill_refund_cents, sum(bill_fee_cents)::bigint as bill_fee_cents
    from (select d.*, ${stateOf} as state, ${roundMills("d.bill_fee_mills")} as bill_fee_cents from recon_days d where ${daysWhere(ctx.scope, filter)}) d
    group by state`.execute(ctx.tx);
  const counted = rows.filter((row) => state === undefined || row.state === state);
  const sum = (name: string): number => counted.reduce((all, row) => all + (row[name] ?? 0), 0);
  const totals = Object.fromEntries(
    ["ours", "bill"].flatMap((side) =>
      ["pay_count", "pay_cents", "refund_count", "refund_cents", "fee_cents"].map((of) => [`${side}_${of}`, sum(`${side}_${of}`)]),
    ),
  ) as never;
  return {
    ours: sideOf(totals, "ours"),
    bill: sideOf(totals, "bill"),
    settledCents: sum("settled") as never,
    openCount: sum("open"),
    perState: dayState.values.map((one) => ({ state: one, count: rows.find((row) => row.state === one)?.n ?? 0 })),
  };
});
