import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { friendPayState } from "../../contract/friend-pays.ts";
import { friendPayColumns, friendPayFrom, friendPayInput, friendPaysWhere } from "./friend-pay-columns.ts";
import type { FriendPayFound } from "./list-friend-pays.ts";

const columns: readonly ExportColumn[] = [
  { key: "orderNo", label: "订单号", kind: "text", width: 28 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "subject", label: "商品", kind: "text", width: 20 },
  { key: "amountCents", label: "金额", kind: "money", width: 12 },
  { key: "state", label: "状态", kind: "code", width: 10 },
  { key: "orderer", label: "下单人", kind: "text", width: 16 },
  { key: "payer", label: "付款人", kind: "text", width: 16 },
  { key: "opened", label: "已打开", kind: "text", width: 8 },
  { key: "createdAt", label: "生成时间", kind: "time", width: 20 },
  { key: "expiresAt", label: "失效时间", kind: "time", width: 20 },
  { key: "paidAt", label: "支付时间", kind: "time", width: 20 },
];

/** PostgreSQL's word for the moment of the transaction: what has expired is as of the file. */
const NOW = "now";

/** The links as a file: the list's filter, its rows, in its order. */
export const friendPayExport: ExportSource<typeof friendPayInput> = {
  name: "friend-pays",
  title: "好友代付",
  access: "/dataCentre/daifu/export",
  input: friendPayInput,
  columns,
  count: (tx, scope, filter) => countAll(tx, sql`${friendPayFrom} where ${friendPaysWhere(scope, NOW, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<FriendPayFound>`select ${friendPayColumns(NOW)} from ${friendPayFrom} where ${friendPaysWhere(scope, NOW, filter)} order by f.created_at desc, f.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map((row) => ({ ...row, state: friendPayState.label(row.state), opened: row.opened ? "是" : "否" }));
  },
};
