import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { onDays } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, exportRows, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { goodsKind } from "../../platforms/contract/index.ts";
import { entriesInScope, storeOfSums } from "../../platforms/server/index.ts";
import { entrySource, getGroupBuyFigures } from "../contract/index.ts";
import { entriesOf, isOwn, mustBePlatforms, mustSee } from "./entry-source.ts";
import { sumsWhere } from "./entry-where.ts";

type Filter = ParsedOf<typeof getGroupBuyFigures>;
type Answer = OutputOf<typeof getGroupBuyFigures>;
type Row = Answer["rows"][number];
const MOST = 200;

/** Names of the figures as columns of the sums `e`; what is told apart there (`voucher_sums`, migration 0366) is what a question may ask for. */
const KEPT = {
  used: "used",
  external: "external",
  reversed: "reversed",
  faceCents: "face_cents",
  merchantTicketCents: "merchant_ticket_cents",
  platformTicketCents: "platform_ticket_cents",
  expectedFeeCents: "expected_fee_cents",
  feeCents: "fee_cents",
  settledCents: "goods_cents",
  pending: "pending",
  pendingCents: "pending_cents",
  uneven: "uneven",
} as const;
const PAID = sql`(e.used_pay_cents - e.reversed_pay_cents)`;
const SUMS = sql`${sql.join(Object.entries(KEPT).map(([name, column]) => sql`sum(${sql.ref(`e.${column}`)})::bigint as ${sql.ref(name)}`))},
  sum(e.used - e.reversed)::bigint as net, sum(${PAID})::bigint as "payCents",
  sum(${PAID} + e.platform_ticket_cents - e.expected_fee_cents)::bigint as "expectedCents"`;
/** Uses `e` of what the merchant itself gave out as rows of the sums: few, and nobody owes anything for them. */
const asSums = (uses: RawBuilder<unknown>): RawBuilder<unknown> => {
  const back = sql`(e.kind = 'reverse')::int`;
  const sign = sql`(1 - 2 * ${back})`;
  return sql`(select e.service_provider_id, e.merchant_id, e.store_id, e.platform, e.platform_store_id, e.goods_kind, e.day, e.day as map_day, 1 as facts,
    1 - ${back} as used, 0 as external, ${back} as reversed, (1 - ${back}) * e.pay_cents as used_pay_cents, ${back} * e.pay_cents as reversed_pay_cents,
    ${sign} * e.face_cents as face_cents, ${sign} * e.merchant_ticket_cents as merchant_ticket_cents, 0 as platform_ticket_cents, 0 as expected_fee_cents,
    0 as fee_cents, 0 as goods_cents, 0 as pending, 0 as pending_cents, 0 as uneven from ${uses}) e`;
};

/** What rows are told apart by; null is `none`. */
const KEY = { platform: sql`e.platform`, kind: sql`e.goods_kind`, day: sql`e.day` } as const;
/** A provider's whole is kept by itself: it has as many rows as one merchant. */
const isWhole = (scope: Scope, { by, merchantId, storeId }: Filter): boolean =>
  scope.level === "SP" && by !== "store" && merchantId === undefined && storeId === undefined;
function sourceOf(scope: Scope, filter: Filter): { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<boolean> } {
  if (isOwn(filter.platform)) {
    const uses = entriesOf(scope, filter);
    return { from: asSums(uses.from), where: uses.where };
  }
  if (isWhole(scope, filter)) return { from: sql`voucher_totals e`, where: inScope(scope, "e", "provider") };
  return { from: sql`voucher_sums e`, where: entriesInScope(scope, "e", storeOfSums) };
}
/** The sums of a group as rows of the sums again. */
const COLUMNS = sql.join(
  ["facts", "used_pay_cents", "reversed_pay_cents", ...Object.values(KEPT)].map(
    (name) => sql`sum(${sql.ref(`e.${name}`)}) as ${sql.ref(name)}`,
  ),
);
/** Whether it asks for what stands at stores themselves whatever it is of: that is kept by itself too, a row for each store and day. */
const isOfStores = ({ level }: Scope, { platform, kind, merchantId, storeId }: Filter): boolean =>
  level === "SP" && platform === undefined && kind === undefined && merchantId === undefined && storeId === undefined;
function rowsOf(scope: Scope, filter: Filter): RawBuilder<unknown> {
  const { from, where } = sourceOf(scope, filter);
  const { by } = filter;
  const asked = sql`from ${from} where ${where} and ${sumsWhere(filter, storeOfSums)}`;
  const ofStores = isOfStores(scope, filter)
    ? sql`from voucher_stores e where ${inScope(scope, "e", "merchant")} and ${onDays(filter, "e.day")}`
    : sql`${asked} and e.store_id is not null`;
  // Stores of their own by that column: the planner knows how few there are and hashes them. By their mapping it would sort all rows.
  const keyed =
    by === "store"
      ? sql`(select e.store_id as key, ${COLUMNS} ${ofStores} group by 1
        union all select ${storeOfSums("e")}, ${COLUMNS} ${asked} and e.store_id is null group by 1) e`
      : sql`(select ${KEY[by]} as key, ${COLUMNS} ${asked} group by 1) e`;
  return sql`select coalesce(g.key::text, 'none') as id, ${sql.join(FIGURES.map((name) => sql.ref(`g.${name}`)))},
      ${by === "store" ? sql`case when g.key is null then '未映射的门店' else coalesce(n.short_name, '其他门店') end` : sql`coalesce(g.key::text, 'none')`} as name
    from (select e.key, ${SUMS} from ${keyed} group by 1 having sum(e.facts) <> 0) g
    ${by === "store" ? sql`left join stores n on n.id = g.key and ${inScope(scope, "n", "full")}` : sql``}`;
}
const inOrder = (by: Filter["by"]): RawBuilder<unknown> => (by === "day" ? sql`f.id desc` : sql`f."payCents" desc, f.id`);
function named({ by, platform }: Pick<Filter, "by" | "platform">, row: Row): Row {
  if (by === "platform") return { ...row, name: entrySource.label(row.id as "dy") };
  if (by === "kind" && isOwn(platform)) return { ...row, name: entrySource.label(platform) };
  if (by === "kind") return { ...row, name: row.id === "none" ? "平台未说明" : goodsKind.label(Number(row.id) as 1) };
  return row;
}
const FIGURES = [
  "used",
  "external",
  "reversed",
  "net",
  "faceCents",
  "payCents",
  "merchantTicketCents",
  "platformTicketCents",
  "expectedFeeCents",
  "expectedCents",
  "feeCents",
  "settledCents",
  "pending",
  "pendingCents",
  "uneven",
] as const;
const TOTAL = sql.join(FIGURES.map((name) => sql`coalesce(sum(f.${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`));

/** 团购券汇总. */
export const getGroupBuyFiguresRoute = implement(getGroupBuyFigures, async (ctx, filter) => {
  const { scope, tx } = ctx;
  mustSee(ctx, filter.platform);
  // The total and the rows are one reading: what is added meanwhile is in both or in none.
  const read = await sql<{ total: Answer["total"]; rows: Row[] | null }>`with f as materialized (${rowsOf(scope, filter)})
    select (select row_to_json(t) from (select ${TOTAL} from f) t) as total,
      (select json_agg(r) from (select f.* from f order by ${inOrder(filter.by)} limit ${MOST + 1}) r) as rows`.execute(tx);
  const { total, rows: found } = read.rows[0]!;
  const rows = found ?? [];
  return { total, rows: rows.slice(0, MOST).map((row) => named(filter, row)), more: rows.length > MOST };
});

// The same days as the screen's.
const { input } = getGroupBuyFigures;
/** 团购券汇总 as a file: every row of the same question. */
export const groupBuyFigureExport: ExportSource<typeof input> = {
  name: "group-buy-figures",
  title: "团购券汇总",
  access: "/dataCentre/groupBuy/export",
  input,
  columns: [
    exportColumn("name", "平台、类型、门店或日期", 24),
    exportColumn("used", "核销", 10, "count"),
    exportColumn("external", "其中平台端核销", 12, "count"),
    exportColumn("reversed", "撤销", 10, "count"),
    exportColumn("net", "净核销", 10, "count"),
    exportColumn("faceCents", "券面值", 14, "money"),
    exportColumn("payCents", "用户实付", 14, "money"),
    exportColumn("merchantTicketCents", "商家补贴", 12, "money"),
    exportColumn("platformTicketCents", "平台补贴", 12, "money"),
    exportColumn("expectedFeeCents", "预计佣金", 12, "money"),
    exportColumn("expectedCents", "预计收入", 14, "money"),
    exportColumn("feeCents", "实际佣金", 12, "money"),
    exportColumn("settledCents", "结算收入", 14, "money"),
    exportColumn("pending", "待结算张数", 10, "count"),
    exportColumn("pendingCents", "待结算", 14, "money"),
    exportColumn("uneven", "账单内不平", 10, "count"),
  ],
  count: (tx, scope, filter) => {
    mustBePlatforms(filter);
    return countAll(tx, sql`(${rowsOf(scope, filter)}) f`);
  },
  rows: (tx, scope, filter) =>
    exportRows(tx, sql<Row>`select f.* from (${rowsOf(scope, filter)}) f order by ${inOrder(filter.by)}`, (row) => {
      const { id: _id, ...cells } = named(filter, row);
      return cells as never;
    }),
};
