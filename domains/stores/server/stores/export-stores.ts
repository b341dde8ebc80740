import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import { exportColumn, snapshotMoment, type ExportRow, type ExportSource } from "@zhangfang/server/export-source.ts";
import { nodeState } from "../../../organisation/contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./store-columns.ts";
import { storeInput, storesWhere } from "./store-filter.ts";

const BATCH = 500;

/** The list of stores as a file, masked like the list. Today is the day on which the file is made. */
export const storeExport: ExportSource<typeof storeInput> = {
  name: "stores",
  title: "门店",
  access: "/store/store/export",
  input: storeInput,
  columns: [
    exportColumn("number", "门店编号", 14),
    exportColumn("shortName", "门店", 18),
    exportColumn("name", "门店名称", 30),
    exportColumn("merchantName", "商户", 18),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("province", "省份", 12),
    exportColumn("city", "城市", 12),
    exportColumn("district", "区县", 12),
    exportColumn("address", "地址", 30),
    exportColumn("groups", "分组", 18),
    exportColumn("areas", "区域", 18),
    exportColumn("phone", "电话", 16),
    exportColumn("hours", "营业时间", 30),
    exportColumn("deviceCount", "设备", 8, "count"),
    exportColumn("todayCents", "今日净收（元）", 14, "money"),
    exportColumn("todayCount", "今日笔数", 10, "count"),
    exportColumn("state", "状态", 8, "code"),
    exportColumn("createdAt", "创建时间", 20, "time"),
  ],
  count: async (tx, scope, filter) => countAll(tx, sql`stores s where ${await storesWhere(tx, scope, filter)}`),
  async *rows(tx, scope, filter) {
    const now_ms = await snapshotMoment(tx);
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
