import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { relationType, returnStatus } from "../../contract/index.ts";
import { type ReturnFound, returnInput, returnsListed } from "./read-returns.ts";

/** The list of returns as a file. */
export const returnExport: ExportSource<typeof returnInput> = {
  name: "share-returns",
  title: "分账回退",
  access: "/dataCentre/sharingReturn/export",
  input: returnInput,
  columns: [
    exportColumn("returnNo", "回退单号", 28),
    exportColumn("shareNo", "分账单号", 28),
    exportColumn("refundNo", "退款单号", 28),
    exportColumn("orderNo", "订单号", 28),
    exportColumn("merchantName", "商户", 18),
    exportColumn("storeName", "门店", 18),
    exportColumn("alias", "接收方", 18),
    exportColumn("account", "接收方账号", 16),
    exportColumn("relation", "关系", 10, "code"),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("amountCents", "回退金额", 12, "money"),
    exportColumn("lineCents", "原分账金额", 12, "money"),
    exportColumn("refundCents", "退款金额", 12, "money"),
    exportColumn("failure", "原因", 24),
    exportColumn("attempts", "提交次数", 10, "count"),
    exportColumn("requestedByName", "申请人", 14),
    exportColumn("createdAt", "创建时间", 20, "time"),
    exportColumn("finishedAt", "完成时间", 20, "time"),
  ],
  ...fileOf(returnsListed, cellsOf),
};
function cellsOf(row: ReturnFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  cells["status"] = returnStatus.label(row.status);
  cells["relation"] = relationType.label(row.relation);
  return cells;
}
