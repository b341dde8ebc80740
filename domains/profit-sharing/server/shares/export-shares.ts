import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { sharingKind, sharingStatus } from "../../contract/index.ts";
import { type SharingFound, sharesWhere, sharingColumns, sharingInput, sharingJoins } from "./share-columns.ts";

const columns: readonly ExportColumn[] = [
  { key: "shareNo", label: "分账单号", kind: "text", width: 28 },
  { key: "orderNo", label: "订单号", kind: "text", width: 28 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "kind", label: "类型", kind: "code", width: 8 },
  { key: "status", label: "状态", kind: "code", width: 10 },
  { key: "orderPaidCents", label: "订单实收", kind: "money", width: 12 },
  { key: "baseCents", label: "分账基数", kind: "money", width: 12 },
  { key: "amountCents", label: "分账金额", kind: "money", width: 12 },
  { key: "sharedCents", label: "已分", kind: "money", width: 12 },
  { key: "failedCents", label: "未到账", kind: "money", width: 12 },
  { key: "returnedCents", label: "已回退", kind: "money", width: 12 },
  { key: "receivers", label: "接收方数", kind: "count", width: 10 },
  { key: "failure", label: "失败原因", kind: "text", width: 24 },
  { key: "requestedByName", label: "发起人", kind: "text", width: 14 },
  { key: "createdAt", label: "创建时间", kind: "time", width: 20 },
  { key: "finishedAt", label: "完成时间", kind: "time", width: 20 },
];
/** The list of shares as a file. */
export const sharingExport: ExportSource<typeof sharingInput> = {
  name: "profit-sharing",
  title: "分账记录",
  access: "/dataCentre/sharing/export",
  input: sharingInput,
  columns,
  count: (tx, scope, filter) => countAll(tx, sql`sharing_orders s where ${sharesWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<SharingFound>`select ${sharingColumns} from sharing_orders s ${sharingJoins} where ${sharesWhere(scope, filter)} order by s.created_at desc, s.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) })) yield batch.map(cellsOf);
  },
};
function cellsOf(row: SharingFound): ExportRow {
  const cells = row as unknown as Record<string, string | number | null>;
  cells["kind"] = sharingKind.label(row.kind);
  cells["status"] = sharingStatus.label(row.status);
  return cells;
}
