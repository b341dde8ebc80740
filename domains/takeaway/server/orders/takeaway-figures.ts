import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, exportRows, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { getTakeawayFigures, takeawayPlatform } from "../../contract/index.ts";
import { sumsWhere } from "./takeaway-where.ts";

type Filter = ParsedOf<typeof getTakeawayFigures>;
type Answer = OutputOf<typeof getTakeawayFigures>;
type Row = Answer["rows"][number];
const MOST = 200;
const MONEY = {
  original_cents: "originalCents",
  package_cents: "packageCents",
  delivery_cents: "deliveryCents",
  shop_off_cents: "shopOffCents",
  platform_off_cents: "platformOffCents",
  paid_cents: "paidCents",
  fee_cents: "feeCents",
  income_cents: "incomeCents",
  refund_cents: "refundCents",
} as const;

const FIGURES = ["orders", "cancelled", "odd", ...Object.values(MONEY), "netCents"];

/** Figures of a group of sums `o` (`takeaway_sums`, migration 0351), in one reading. */
export const SUMS = sql`${sql.join(["orders", "cancelled", "odd"].map((name) => sql`sum(${sql.ref(`o.${name}`)})::int as ${sql.ref(name)}`))},
  ${sql.join(Object.entries({ ...MONEY, net_cents: "netCents" }).map(([column, name]) => sql`sum(${sql.ref(`o.${column}`)})::bigint as ${sql.ref(name)}`))},
  round(sum(o.paid_cents) / nullif(sum(o.orders), 0))::bigint as "averageCents"`;
/** Of a group that nothing stands in any more no row is left. */
export const COUNTED = sql`sum(o.orders + o.cancelled) <> 0`;

function figuresOf(scope: Scope, filter: Filter): RawBuilder<unknown> {
  const { by, dayOf, platform, merchantId, storeId } = filter;
  // Null is `none`.
  const key = by === "platform" ? sql`o.platform` : by === "store" ? sql`o.store_id` : sql`o.day`;
  // A provider's whole is kept by itself: it has as many rows as one merchant. So are its stores, whatever platform it is of.
  const everything = scope.level === "SP" && merchantId === undefined && storeId === undefined;
  const whole = everything && by !== "store";
  const asked = sql`from ${whole ? sql`takeaway_totals o` : sql`takeaway_sums o`} where ${inScope(scope, "o", whole ? "provider" : "store")} and ${sumsWhere(filter)}`;
  const summed =
    everything && by === "store" && platform === undefined
      ? sql`select o.store_id as key, ${SUMS} from takeaway_stores o where ${inScope(scope, "o", "store")} and ${sumsWhere({ dayOf, from: filter.from, to: filter.to })}
          group by 1 having ${COUNTED}
        union all select null, ${SUMS} ${asked} and o.store_id is null having ${COUNTED}`
      : sql`select ${key} as key, ${SUMS} ${asked} group by 1 having ${COUNTED}`;
  return sql`select coalesce(g.key::text, 'none') as id, ${sql.join(FIGURES.map((name) => sql.ref(`g.${name}`)))}, g."averageCents",
      ${by === "store" ? sql`case when g.key is null then '未映射的门店' else coalesce(n.short_name, '其他门店') end` : sql`g.key::text`} as name
    from (${summed}) g ${by === "store" ? sql`left join stores n on n.id = g.key and ${inScope(scope, "n", "full")}` : sql``}`;
}
const inOrder = (by: Filter["by"]): RawBuilder<unknown> => (by === "day" ? sql`f.id desc` : sql`f."incomeCents" desc, f.id`);
const named = (by: Filter["by"], row: Row): Row => (by === "platform" ? { ...row, name: takeawayPlatform.label(row.id as "ele") } : row);

/** Its rows summed: the total and the rows are one reading, so an order that is kept meanwhile is in both or in none. */
const TOTAL = sql`${sql.join(FIGURES.map((name) => sql`coalesce(sum(f.${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`))}, round(sum(f."paidCents") / nullif(sum(f.orders), 0))::bigint as "averageCents"`;

/** 外卖汇总. */
export const getTakeawayFiguresRoute = implement(getTakeawayFigures, async (ctx, filter) => {
  const { scope, tx } = ctx;
  const read = await sql<{ total: Answer["total"]; rows: Row[] | null }>`with f as materialized (${figuresOf(scope, filter)})
    select (select row_to_json(t) from (select ${TOTAL} from f) t) as total,
      (select json_agg(r) from (select f.* from f order by ${inOrder(filter.by)} limit ${MOST + 1}) r) as rows`.execute(tx);
  const { total, rows: found } = read.rows[0]!;
  const rows = found ?? [];
  const [{ unmapped }] = (
    await sql<{ unmapped: number }>`select count(*)::int as unmapped from (select from takeaway_sums o
        where o.store_id is null and o.platform_store_id <> '' and ${inScope(scope, "o", "store")} and ${sumsWhere(filter)}
        group by o.platform, o.platform_store_id having ${COUNTED}) u`.execute(tx)
  ).rows as [{ unmapped: number }];
  return {
    total,
    rows: rows.slice(0, MOST).map((row) => named(filter.by, row)),
    more: rows.length > MOST,
    unmapped,
    ...(scope.stores === undefined ? (await fetchesOf(scope, filter.merchantId).execute(tx)).rows[0]! : { waiting: 0, unfetched: 0 }),
  };
});
// Of a store it is not known whose order it will be.
const fetchesOf = (scope: Scope, merchantId: string | undefined) =>
  sql<{ waiting: number; unfetched: number }>`select count(*) filter (where f.next_at is not null)::int as waiting,
      count(*) filter (where f.next_at is null)::int as unfetched
    from takeaway_fetches f where (f.next_at is not null or f.outcome in ('refused', 'unknown'))
      and ${all([inScope(scope, "f", "merchant"), is("f.merchant_id", merchantId)])}`;

// The same days as the screen's.
const { input } = getTakeawayFigures;
/** 外卖汇总 as a file: every row of the same question. */
export const takeawayFigureExport: ExportSource<typeof input> = {
  name: "takeaway-figures",
  title: "外卖汇总",
  access: "/dataCentre/takeaway/export",
  input,
  columns: [
    exportColumn("name", "平台、门店或日期", 24),
    exportColumn("orders", "单数", 10, "count"),
    exportColumn("cancelled", "取消单数", 10, "count"),
    exportColumn("originalCents", "原价", 14, "money"),
    exportColumn("packageCents", "餐盒费", 12, "money"),
    exportColumn("deliveryCents", "配送费", 12, "money"),
    exportColumn("shopOffCents", "商家活动", 12, "money"),
    exportColumn("platformOffCents", "平台活动", 12, "money"),
    exportColumn("paidCents", "用户实付", 14, "money"),
    exportColumn("feeCents", "服务费", 12, "money"),
    exportColumn("incomeCents", "预计收入", 14, "money"),
    exportColumn("refundCents", "退款", 12, "money"),
    exportColumn("netCents", "净收入", 14, "money"),
    exportColumn("averageCents", "客单价", 12, "money"),
    exportColumn("odd", "收入不平单数", 12, "count"),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`(${figuresOf(scope, filter)}) f`),
  rows: (tx, scope, filter) =>
    exportRows(tx, sql<Row>`select f.* from (${figuresOf(scope, filter)}) f order by ${inOrder(filter.by)}`, (row) => {
      const { id: _id, ...cells } = named(filter.by, row);
      return cells as never;
    }),
};
