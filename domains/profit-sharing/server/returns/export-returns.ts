import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { relationType, returnStatus } from "../../contract/index.ts";
import { returnColumns, type ReturnFound, returnInput, returnJoins, returnsWhere } from "./read-returns.ts";

const columns: readonly ExportColumn[] = [
  { key: "returnNo", label: "回退单号", kind: "text", width: 28 },
  { key: "shareNo", label: "分账单号", kind: "text", width: 28 },
  { key: "refundNo", label: "退款单号", kind: "text", width: 28 },
  { key: "orderNo", label: "订单号", kind: "text", width: 28 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "alias", label: "接收方", kind: "text", width: 18 },
  { key: "account", label: "接收方账号", kind: "text", width: 16 },
  { key: "relation", label: "关系", kind: "code", width: 10 },
  { key: "status", label: "状态", kind: "code", width: 10 },
  { key: "amountCents", label: "回退金额", kind: "money", width: 12 },
  { key: "lineCents", label: "原分账金额", kind: "money", width: 12 },
  { key: "refundCents", label: "退款金额", kind: "money", width: 12 },
  { key: "failure", label: "原因", kind: "text", width: 24 },
  { key: "attempts", label: "提交次数", kind: "count", width: 10 },
  { key: "requestedByName", label: "申请人", kind: "text", width: 14 },
  { key: "createdAt", label: "创建时间", kind: "time", width: 20 },
  { key: "finishedAt", label: "完成时间", kind: "time", width: 20 },
];
/** The list of returns as a file. */
export const returnExport: ExportSource<typeof returnInput> = {
  name: "share-returns",
  title: "分账回退",
  access: "/dataCentre/sharingReturn/export",
  input: returnInput,
  columns,
  count: (tx, scope, filter) => countAll(tx, sql`sharing_returns r where ${returnsWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<ReturnFound>`select ${returnColumns} from sharing_returns r ${returnJoins} where ${returnsWhere(scope, filter)} order by r.created_at desc, r.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) })) yield batch.map(cellsOf);
  },
};
function cellsOf(row: ReturnFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  cells["status"] = returnStatus.label(row.status);
  cells["relation"] = relationType.label(row.relation);
  return cells;
}
