import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
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

/** 积分汇总: the flows of the book, which is why it is equal to the book. */
export const summarisePointsRoute = implement(summarisePoints, async (ctx, { from, to, by, merchantId, storeId }) => {
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
      inScope(ctx.scope, "e", "store"),
      sql`starts_with(e.cause, 'points-')`,
      during({ from, to }, "e.occurred_at"),
      is("e.merchant_id", merchantId),
      is("e.store_id", storeId),
    ])}
    group by 1 order by 1 limit 1000`.execute(ctx.tx);
  const told = rows.map((row) => ({
    ...row,
    name: by === "reason" ? reasonName(row.name) : row.name,
    net: netOf(row),
  }));
  const total = rows.reduce<Figures>(
    (sum, row) => Object.fromEntries(COLUMNS.map((key) => [key, sum[key] + row[key]])) as unknown as Figures,
    NONE,
  );
  // A store holds no points: who sees stores alone, or asks for one, is told what moved there.
  const whole = storeId === undefined && ctx.scope.stores === undefined;
  return { total: { ...total, net: netOf(total) }, rows: told, outstanding: whole ? await outstanding() : null };

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
