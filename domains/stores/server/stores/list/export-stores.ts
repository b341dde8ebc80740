import { exportColumn, fileOf, snapshotMoment, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { nodeState } from "../../../../organisation/contract/index.ts";
import { storesListed } from "./list-store-rows.ts";
import { type FoundStore, shownStore } from "./store-columns.ts";
import { type StoreFilter, storeInput } from "./store-filter.ts";

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
  ...fileOf(async (scope, filter: StoreFilter, tx) => storesListed(scope, filter, tx, await snapshotMoment(tx)), cellsOf, "-createdAt"),
};
function cellsOf(found: FoundStore): ExportRow {
  const { groups, areas, ...row } = shownStore(found);
  const names = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join("、");
  return { ...row, groups: names(groups), areas: names(areas), state: nodeState.label(row.state) };
}
