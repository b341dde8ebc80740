import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { exportColumn, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { pointReason, summarisePoints } from "../contract/index.ts";
import { valueCause } from "../../value-book/contract.ts";

interface Figures {
  readonly issued: number;
  readonly clawed: number;
  readonly used: number;
  readonly back: number;
  readonly cleared: number;
  readonly adjusted: number;
}
const COLUMNS = ["issued", "clawed", "used", "back", "cleared", "adjusted"] as const;
const netOf = ({ issued, clawed, used, back, cleared, adjusted }: Figures): number => issued - clawed - used + back - cleared + adjusted;
const NONE: Figures = { issued: 0, clawed: 0, used: 0, back: 0, cleared: 0, adjusted: 0 };

type Asked = ParsedOf<typeof summarisePoints>;
/** The flows of the book by what they are to be told by, for screen and file. */
async function flowsOf(tx: Transaction, scope: Scope, { from, to, by, merchantId, storeId }: Asked) {
  const flow = (kind: string, sign: "" | "-", of = sql`true`) =>
    sql`coalesce(${sql.raw(sign)}sum(p.amount) filter (where a.kind = ${sql.lit(kind)} and ${of}), 0)::bigint`;
  const cause = (is: string) => sql`e.cause = ${sql.lit(is)}`;
  const name =
    by === "day"
      ? sql`to_char(e.occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD')`
      : by === "store"
        ? sql`coalesce(s.short_name, '不在门店')`
        : sql`coalesce(j.reason, t.reason, e.cause)`;
  const { rows } = await sql<
    Figures & { id: string; name: string }
  >`select ${by === "store" ? sql`coalesce(e.store_id::text, 'none')` : name} as id,
      min(${name}) as name,
      ${flow("points-issued", "-", sql`not ${cause("points-claw")}`)} - ${flow("points-opening", "")} as issued,
      ${flow("points-issued", "", cause("points-claw"))} as clawed, ${flow("points-used", "", cause("points-take"))} as used,
      ${flow("points-used", "-", cause("points-back"))} as back, ${flow("points-cleared", "")} as cleared, ${flow("points-adjusted", "-")} as adjusted
    from value_entries e
    join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
    join value_accounts a on a.service_provider_id = p.service_provider_id and a.id = p.account_id
      and a.kind in ('points-issued', 'points-opening', 'points-used', 'points-cleared', 'points-adjusted')
    left join stores s on s.service_provider_id = e.service_provider_id and s.id = e.store_id
    left join point_adjustments j on e.cause = 'points-adjust' and j.service_provider_id = e.service_provider_id and j.id = e.cause_id
    left join point_task_rows k on e.cause = 'points-task' and k.service_provider_id = e.service_provider_id and k.id = e.cause_id
    left join point_tasks t on t.service_provider_id = k.service_provider_id and t.id = k.task_id
    where ${all([
      inScope(scope, "e", "store"),
      sql`starts_with(e.cause, 'points-')`,
      during({ from, to }, "e.occurred_at"),
      is("e.merchant_id", merchantId),
      is("e.store_id", storeId),
    ])}
    group by 1 order by 1 limit 1000`.execute(tx);
  return rows.map((row) => ({ ...row, name: by === "reason" ? reasonName(row.name) : row.name, net: netOf(row) }));
}
/** 积分汇总: the flows of the book, which is why it is equal to the book. */
export const summarisePointsRoute = implement(summarisePoints, async (ctx, asked) => {
  const { merchantId, storeId } = asked;
  const rows = await flowsOf(ctx.tx, ctx.scope, asked);
  const total = rows.reduce<Figures>(
    (sum, row) => Object.fromEntries(COLUMNS.map((key) => [key, sum[key] + row[key]])) as unknown as Figures,
    NONE,
  );
  // A store holds no points: who sees stores alone, or asks for one, is told what moved there.
  const whole = storeId === undefined && ctx.scope.stores === undefined;
  return { total: { ...total, net: netOf(total) }, rows, outstanding: whole ? await outstanding() : null };

  async function outstanding() {
    const balance = (kind: string) => sql`coalesce(sum(a.balance) filter (where a.kind = ${sql.lit(kind)}), 0)::bigint`;
    const { rows: sums } = await sql<{ usable: number; pending: number; held: number; owed: number }>`select ${balance("points")} as usable,
        ${balance("points-pending")} as pending, ${balance("points-held")} as held, ${balance("points-debt")} as owed
      from value_accounts a where ${inScope(ctx.scope, "a", "merchant")} and ${all([is("a.merchant_id", merchantId)])}
        and a.kind in ('points', 'points-pending', 'points-held', 'points-debt')`.execute(ctx.tx);
    const found = sums[0] ?? { usable: 0, pending: 0, held: 0, owed: 0 };
    return { ...found, total: found.usable + found.pending + found.held + found.owed };
  }
});
/** A reason that somebody chose, or what moved them. */
function reasonName(code: string): string {
  const chosen = pointReason.values.find((value) => value === code);
  return chosen ? `手工：${pointReason.label(chosen)}` : valueCause.label(code as never);
}

/** 积分汇总 as a file: the rows that the screen shows. */
export const pointsSummaryExport: ExportSource<typeof summarisePoints.input> = {
  name: "points-summary",
  title: "积分汇总",
  access: "/dataCentre/points/export",
  input: summarisePoints.input,
  columns: [
    exportColumn("name", "日期、门店或原因", 20),
    exportColumn("issued", "发放", 12, "count"),
    exportColumn("clawed", "退款扣回", 12, "count"),
    exportColumn("used", "抵扣", 12, "count"),
    exportColumn("back", "退回", 12, "count"),
    exportColumn("cleared", "清零", 12, "count"),
    exportColumn("adjusted", "手工和批量", 12, "count"),
    exportColumn("net", "净变动", 12, "count"),
  ],
  count: async (tx, scope, asked) => (await flowsOf(tx, scope, asked)).length,
  async *rows(tx, scope, asked) {
    yield (await flowsOf(tx, scope, asked)).map(({ id: _id, ...row }) => row);
  },
};
