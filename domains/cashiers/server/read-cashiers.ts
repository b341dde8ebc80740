import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { getCashier, getCashiers, summariseCashiers } from "../contract.ts";

export type CashierRow = RowOf<typeof getCashiers>;
export const CASHIERS_FROM = sql`cashiers c join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id
  left join devices d on d.service_provider_id = c.service_provider_id and d.cashier_id = c.id`;
export const CASHIER_COLUMNS = sql`c.id, c.code, c.name, c.store_id as "storeId", s.short_name as "storeName", c.shift,
  c.pay_most_cents as "payMostCents", c.off_most_cents as "offMostCents", c.refund_most_cents as "refundMostCents", c.refund_day_cents as "refundDayCents",
  d.id as "deviceId", d.sn as "deviceSn", d.name as "deviceName", c.state, c.created_at as "createdAt", c.revision`;
const isBound = sql`exists (select 1 from devices x where x.service_provider_id = c.service_provider_id and x.cashier_id = c.id)`;
/** The cashiers of a filter within the scope, over `cashiers c`. */
export function cashiersWhere(scope: Scope, given: ParsedOf<typeof summariseCashiers>): RawBuilder<boolean> {
  const { keyword, storeId, shift, place, state } = given;
  const like = keyword && likeText(keyword);
  return all([
    inScope(scope, "c", "store"),
    like && sql`c.name ilike ${like} or c.code ilike ${like}`,
    is("c.store_id", storeId),
    is("c.shift", shift),
    place && (place === "free" ? sql`not ${isBound}` : isBound),
    is("c.state", state),
  ]);
}

/** The list of cashiers, for screen and file. */
export const cashiersListed = (scope: Scope, filter: ParsedOf<typeof summariseCashiers>): Listed => ({
  columns: CASHIER_COLUMNS,
  from: CASHIERS_FROM,
  counted: sql`cashiers c`,
  where: cashiersWhere(scope, filter),
  order: "c.created_at",
});

/** 收银员: those of the stores in sight. */
export const getCashiersRoute = implement(getCashiers, (ctx, input) =>
  listPage<CashierRow>(ctx.tx, input, cashiersListed(ctx.scope, input)),
);

/** How many there are; by state without the filter's own state, for the tabs. */
export const summariseCashiersRoute = implement(summariseCashiers, async (ctx, { state, ...rest }) => {
  const { rows } = await sql<{ state: string; count: number; bound: number }>`
    select c.state, count(*)::int as count, count(*) filter (where ${isBound})::int as bound from cashiers c
    where ${cashiersWhere(ctx.scope, rest)} group by c.state`.execute(ctx.tx);
  const shown = rows.filter((row) => state === undefined || row.state === state);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((all, row) => all + of(row), 0);
  return {
    count: sum(({ count }) => count),
    bound: sum(({ bound }) => bound),
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
});

/** 收银员详情, with what was taken today and the devices of the store. */
export const getCashierRoute = implement(getCashier, async (ctx, { id }) => {
  const { rows } = await sql<CashierRow>`select ${CASHIER_COLUMNS} from ${CASHIERS_FROM}
    where ${inScope(ctx.scope, "c", "store")} and c.id = ${id}`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("收银员");
  const { rows: devices } = await sql<{ id: string; sn: string; name: string; cashierName: string | null }>`
    select d.id, d.sn, d.name, w.name as "cashierName" from devices d
    left join cashiers w on w.service_provider_id = d.service_provider_id and w.id = d.cashier_id
    where d.store_id = ${row.storeId} and d.state in ('active', 'disabled') and ${inScope(ctx.scope, "d", "store")} order by d.created_at, d.id limit 200`.execute(
    ctx.tx,
  );
  return { ...row, today: await takingsOf(ctx, row), devices };
});
async function takingsOf(ctx: Ctx, { id, storeId }: CashierRow) {
  const since = dayStart(shanghaiDay(ctx.now_ms));
  const { rows } = await sql<{ payCount: number; paidCents: number; refundCount: number; refundCents: number }>`
    with paid as (select count(*)::int as n, coalesce(sum(o.paid_cents), 0)::bigint as cents from pay_orders o
        where o.store_id = ${storeId} and o.cashier_id = ${id} and o.status in (2, 3) and o.paid_at >= ${since}::timestamptz
          and o.created_at >= ${since}::timestamptz - interval '1 day' and ${inScope(ctx.scope, "o")}),
      back as (select count(*)::int as n, coalesce(sum(r.amount_cents), 0)::bigint as cents from refunds r
        where r.cashier_id = ${id} and r.created_at >= ${since}::timestamptz and r.status in (0, 1, 2) and ${inScope(ctx.scope, "r")})
    select paid.n as "payCount", paid.cents as "paidCents", back.n as "refundCount", back.cents as "refundCents" from paid, back`.execute(
    ctx.tx,
  );
  if (!rows[0]) throw new Error("sums without a row");
  return rows[0] as never;
}
