import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { exportColumn, exportRows, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { goodsKind } from "../../platforms/contract/index.ts";
import { storeOfEntry } from "../../platforms/server/index.ts";
import { entrySource, getGroupBuyFigures } from "../contract/index.ts";
import { entriesOf, isOwn, mustBePlatforms, mustSee } from "./entry-source.ts";
import { COMMISSION, entryWhere, pendingOf, UNEVEN, USED } from "./entry-where.ts";

type Filter = ParsedOf<typeof getGroupBuyFigures>;
type Answer = OutputOf<typeof getGroupBuyFigures>;
type Row = Answer["rows"][number];
const MOST = 200;

/** Σ of uses less that of reversals. */
const net = (column: string): RawBuilder<unknown> =>
  sql`(coalesce(sum(${sql.ref(column)}) filter (where ${USED}), 0) - coalesce(sum(${sql.ref(column)}) filter (where e.kind = 'reverse'), 0))::bigint`;
/** 预计收入 of an entry. */
const EXPECTED = sql`(e.pay_cents + e.platform_ticket_cents - e.expected_fee_cents)`;
/** The sums of a group of entries `e`, in one reading. */
const SUMS = sql`count(*) filter (where ${USED})::int as used, count(*) filter (where e.kind = 'external')::int as external,
  count(*) filter (where e.kind = 'reverse')::int as reversed, (count(*) filter (where ${USED}) - count(*) filter (where e.kind = 'reverse'))::int as net,
  ${net("e.face_cents")} as "faceCents", ${net("e.pay_cents")} as "payCents", ${net("e.merchant_ticket_cents")} as "merchantTicketCents",
  ${net("e.platform_ticket_cents")} as "platformTicketCents", ${net("e.expected_fee_cents")} as "expectedFeeCents",
  (coalesce(sum(${EXPECTED}) filter (where ${USED}), 0) - coalesce(sum(${EXPECTED}) filter (where e.kind = 'reverse'), 0))::bigint as "expectedCents",
  coalesce(sum(${COMMISSION}) filter (where e.kind = 'ledger'), 0)::bigint as "feeCents",
  coalesce(sum(e.goods_cents) filter (where e.kind = 'ledger'), 0)::bigint as "settledCents",
  count(*) filter (where ${UNEVEN})::int as uneven`;

const keyOf = (by: Filter["by"]): RawBuilder<unknown> =>
  by === "platform"
    ? sql`e.platform::text`
    : by === "kind"
      ? sql`coalesce(e.goods_kind::text, 'none')`
      : by === "store"
        ? sql`coalesce(${storeOfEntry("e")}::text, 'none')`
        : sql`e.day::text`;
/** What waits for its bill is looked for by itself, so that the sums stay one reading. */
function figuresOf(scope: Scope, filter: Filter, key: RawBuilder<unknown>, by: Filter["by"]): RawBuilder<unknown> {
  const entries = entriesOf(scope, filter);
  const from = sql`from ${entries.from} where ${entries.where} and ${entryWhere(filter)}`;
  const named = by === "store";
  return sql`select g.*, coalesce(p.pending, 0) as pending, coalesce(p.cents, 0)::bigint as "pendingCents",
      ${named ? sql`case g.id when 'none' then '未映射的门店' else coalesce(n.short_name, '其他门店') end` : sql`g.id`} as name
    from (select ${key} as id, ${SUMS} ${from} group by 1) g
    left join (select ${key} as id, count(*)::int as pending, sum(${EXPECTED})::bigint as cents ${from} and ${pendingOf(filter)} group by 1) p on p.id = g.id
    ${named ? sql`left join stores n on n.id::text = g.id and ${inScope(scope, "n", "full")}` : sql``}`;
}
const rowsOf = (scope: Scope, filter: Filter) => figuresOf(scope, filter, keyOf(filter.by), filter.by);
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
