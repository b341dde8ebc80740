import { sql, type RawBuilder } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { exportColumn, exportRows, type ExportSource, snapshotMoment } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { fanChannelKind, followWay, getFanFigures } from "../../contract/index.ts";
import { followsOf, keptFor, over, partOf } from "./follow-where.ts";

type Filter = ParsedOf<typeof getFanFigures>;
type Answer = OutputOf<typeof getFanFigures>;
type Row = Answer["rows"][number];
const MOST = 500;
const COUNTS = ["joined", "left", "flash", "of7", "kept7", "of30", "kept30"] as const;

const keyOf = (by: Filter["by"], day: RawBuilder<unknown>): RawBuilder<unknown> =>
  by === "day"
    ? sql`${day}::text`
    : by === "source"
      ? sql`coalesce(w.channel_id::text, w.scene, 'none')`
      : sql`coalesce(w.store_id::text, 'none')`;

/** A row for each day, source or store; 累计 of a day is that of the day before and what changed. */
function rowsOf(scope: Scope, filter: Filter, today: string): RawBuilder<unknown> {
  const { by, from, to } = filter;
  const follows = (where: RawBuilder<unknown>) =>
    sql`from wx_follows w where ${inScope(scope, "w", "merchant")} and ${followsOf(filter)} and ${where}`;
  const zero = sql`0 as of7, 0 as kept7, 0 as of30, 0 as kept30`;
  const moved = sql`moved as (
      select ${keyOf(by, sql`w.from_day`)} as key, 1 as joined, 0 as "left", 0 as flash, (${over(7, today)})::int as of7, (${keptFor(7, today)})::int as kept7,
        (${over(30, today)})::int as of30, (${keptFor(30, today)})::int as kept30 ${follows(partOf(filter, "joined", today))}
      union all select ${keyOf(by, sql`w.to_day`)}, 0, 1, 0, ${zero} ${follows(partOf(filter, "left", today))}
      union all select ${keyOf(by, sql`w.from_day`)}, 0, 0, 1, ${zero} ${follows(partOf(filter, "flash", today))}),
    sums as (select key, ${sql.join(COUNTS.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`))} from moved group by 1)`;
  const counts = sql.join(COUNTS.map((name) => sql`coalesce(m.${sql.ref(name)}, 0) as ${sql.ref(name)}`));
  if (by === "day")
    return sql`with ${moved}, base as (select count(*)::int as n ${follows(partOf({ ...filter, to: addDays(from, -1) }, "total", today))})
      select d.day::date::text as id, d.day::date::text as name, false as "isWay", ${counts}, coalesce(m.joined - m."left", 0) as net,
        (base.n + sum(coalesce(m.joined - m."left", 0)) over (order by d.day))::int as total
      from generate_series(${from}::date, ${to}::date, interval '1 day') as d (day) cross join base left join sums m on m.key = d.day::date::text`;
  return sql`with ${moved}, there as (select ${keyOf(by, sql``)} as key, count(*)::int as n ${follows(partOf(filter, "total", today))} group by 1)
    select coalesce(m.key, t.key) as id, ${nameOf(by)} as name, ${by === "source" ? sql`c.id is null and coalesce(m.key, t.key) <> 'none'` : sql`false`} as "isWay",
      ${counts}, coalesce(m.joined - m."left", 0) as net, coalesce(t.n, 0) as total
    from sums m full join there t on t.key = m.key ${
      by === "source"
        ? sql`left join wx_fan_channels c on c.id::text = coalesce(m.key, t.key) and ${inScope(scope, "c", "merchant")}`
        : sql`left join stores s on s.id::text = coalesce(m.key, t.key) and ${inScope(scope, "s", "full")}`
    }`;
}
const nameOf = (by: Filter["by"]): RawBuilder<unknown> =>
  by === "source"
    ? sql`coalesce(c.kind || ' ' || c.name, m.key, t.key)`
    : sql`coalesce(s.short_name, case coalesce(m.key, t.key) when 'none' then '没有门店' else '其他门店' end)`;
function named(by: Filter["by"], row: Row): Row {
  if (by !== "source") return row;
  if (row.id === "none") return { ...row, name: "未知" };
  if (row.isWay) return { ...row, name: followWay.label(row.id as never) };
  const [kind, ...rest] = row.name.split(" ");
  return { ...row, name: `${fanChannelKind.label(kind as never)}码 ${rest.join(" ")}` };
}
const inOrder = (by: Filter["by"]): RawBuilder<unknown> => (by === "day" ? sql`f.id desc` : sql`f.joined desc, f.total desc, f.id`);
const sumOf = (name: string): RawBuilder<unknown> => sql`coalesce(sum(f.${sql.ref(name)}), 0)::int as ${sql.ref(name)}`;

/** 粉丝汇总. */
export const getFanFiguresRoute = implement(getFanFigures, async ({ scope, tx, now_ms }, filter) => {
  const { by, to } = filter;
  // Of days the last one's; of sources and stores all of them together.
  const total = by === "day" ? sql`coalesce((select g.total from f g where g.id = ${to}), 0) as total` : sumOf("total");
  const read = await sql<{
    total: Answer["total"];
    rows: Row[] | null;
  }>`with f as materialized (${rowsOf(scope, filter, shanghaiDay(now_ms))})
    select (select row_to_json(t) from (select ${sql.join([...COUNTS, "net"].map(sumOf))}, ${total} from f) t) as total,
      (select json_agg(r) from (select f.* from f order by ${inOrder(by)} limit ${MOST + 1}) r) as rows`.execute(tx);
  const { total: sums, rows: found } = read.rows[0]!;
  const rows = found ?? [];
  return { total: sums, rows: rows.slice(0, MOST).map((row) => named(by, row)), more: rows.length > MOST };
});

const { input } = getFanFigures;
/** 粉丝汇总 as a file: every row of the same question. */
export const fanFigureExport: ExportSource<typeof input> = {
  name: "fan-figures",
  title: "粉丝汇总",
  access: "/wxCRM/fansSummary/export",
  input,
  columns: [
    exportColumn("name", "日期、来源或门店", 24),
    exportColumn("joined", "新增", 10, "count"),
    exportColumn("left", "取关", 10, "count"),
    exportColumn("net", "净增", 10, "count"),
    exportColumn("total", "累计", 12, "count"),
    exportColumn("flash", "当日关注又取关", 14, "count"),
    exportColumn("of7", "满 7 日的新增", 12, "count"),
    exportColumn("kept7", "7 日后还在", 12, "count"),
    exportColumn("of30", "满 30 日的新增", 12, "count"),
    exportColumn("kept30", "30 日后还在", 12, "count"),
  ],
  count: async (tx, scope, filter) => countAll(tx, sql`(${rowsOf(scope, filter, shanghaiDay(await snapshotMoment(tx)))}) f`),
  rows: async function* rows(tx, scope, filter) {
    const today = shanghaiDay(await snapshotMoment(tx));
    yield* exportRows(tx, sql<Row>`select f.* from (${rowsOf(scope, filter, today)}) f order by ${inOrder(filter.by)}`, (row) => {
      const { id: _id, isWay: _way, ...cells } = named(filter.by, row);
      return cells as never;
    });
  },
};
