import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { nodeState } from "../../../organisation/contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./store-columns.ts";
import { storeInput, storesWhere } from "./store-filter.ts";

const columns: readonly ExportColumn[] = [
  { key: "number", label: "门店编号", kind: "text", width: 14 },
  { key: "shortName", label: "门店", kind: "text", width: 18 },
  { key: "name", label: "门店名称", kind: "text", width: 30 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "serviceProviderName", label: "服务商", kind: "text", width: 18 },
  { key: "province", label: "省份", kind: "text", width: 12 },
  { key: "city", label: "城市", kind: "text", width: 12 },
  { key: "district", label: "区县", kind: "text", width: 12 },
  { key: "address", label: "地址", kind: "text", width: 30 },
  { key: "groups", label: "分组", kind: "text", width: 18 },
  { key: "areas", label: "区域", kind: "text", width: 18 },
  { key: "phone", label: "电话", kind: "text", width: 16 },
  { key: "hours", label: "营业时间", kind: "text", width: 30 },
  { key: "deviceCount", label: "设备", kind: "count", width: 8 },
  { key: "todayCents", label: "今日净收（元）", kind: "money", width: 14 },
  { key: "todayCount", label: "今日笔数", kind: "count", width: 10 },
  { key: "state", label: "状态", kind: "code", width: 8 },
  { key: "createdAt", label: "创建时间", kind: "time", width: 20 },
];
const BATCH = 500;

/** The list of stores as a file, masked like the list. Today is the day on which the file is made. */
export const storeExport: ExportSource<typeof storeInput> = {
  name: "stores",
  title: "门店",
  access: "/store/store/export",
  input: storeInput,
  columns,
  count: async (tx, scope, filter) => countAll(tx, sql`stores s where ${await storesWhere(tx, scope, filter)}`),
  async *rows(tx, scope, filter) {
    const now = await sql<{ at: string }>`select now() as at`.execute(tx);
    const now_ms = Date.parse(now.rows[0]!.at);
    const where = await storesWhere(tx, scope, filter);
    let last: FoundStore | undefined;
    for (;;) {
      const after = last ? sql`(s.created_at, s.id) < (${last.createdAt}::timestamptz, ${last.id}::uuid)` : sql`true`;
      const found: { rows: FoundStore[] } = await sql<FoundStore>`
        with s as (select * from stores s where ${where} and ${after} order by s.created_at desc, s.id desc limit ${sql.lit(BATCH)})
        select ${storeColumns} from s ${storeNames(scope, now_ms)} order by s.created_at desc, s.id desc`.execute(tx);
      if (found.rows.length > 0) yield found.rows.map(cellsOf);
      last = found.rows.at(-1);
      if (found.rows.length < BATCH) return;
    }
  },
};
function cellsOf(found: FoundStore): ExportRow {
  const { groups, areas, ...row } = shownStore(found);
  const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join("、");
  return { ...row, groups: names(groups), areas: names(areas), state: nodeState.label(row.state) };
}
