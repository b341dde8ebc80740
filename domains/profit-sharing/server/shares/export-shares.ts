import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { sharingKind, sharingStatus } from "../../contract/index.ts";
import { sharesListed } from "./read-shares.ts";
import { type SharingFound, sharingInput } from "./share-columns.ts";

/** The list of shares as a file. */
export const sharingExport: ExportSource<typeof sharingInput> = {
  name: "profit-sharing",
  title: "分账记录",
  access: "/dataCentre/sharing/export",
  input: sharingInput,
  columns: [
    exportColumn("shareNo", "分账单号", 28),
    exportColumn("orderNo", "订单号", 28),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("kind", "类型", 8, "code"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("orderPaidCents", "订单实收", 12, "money"),
    exportColumn("baseCents", "分账基数", 12, "money"),
    exportColumn("amountCents", "分账金额", 12, "money"),
    exportColumn("sharedCents", "已分", 12, "money"),
    exportColumn("failedCents", "未到账", 12, "money"),
    exportColumn("returnedCents", "已回退", 12, "money"),
    exportColumn("receivers", "接收方数", 10, "count"),
    exportColumn("failure", "失败原因", 24),
    exportColumn("requestedByName", "发起人", 14),
    exportColumn("createdAt", "创建时间", 20, "time"),
    exportColumn("finishedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(sharesListed, cellsOf),
};
function cellsOf(row: SharingFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  cells["kind"] = sharingKind.label(row.kind);
  cells["status"] = sharingStatus.label(row.status);
  return cells;
}
