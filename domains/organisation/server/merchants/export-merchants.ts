import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { payChannel } from "../../../channels/contract.ts";
import { type listMerchantRows, nodeState } from "../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./merchant-columns.ts";
import { merchantInput, merchantsWhere } from "./merchant-filter.ts";

const columns: readonly ExportColumn[] = [
  { key: "number", label: "商户编号", kind: "text", width: 14 },
  { key: "name", label: "商户名称", kind: "text", width: 30 },
  { key: "shortName", label: "简称", kind: "text", width: 18 },
  { key: "trade", label: "行业", kind: "text", width: 12 },
  { key: "province", label: "省份", kind: "text", width: 12 },
  { key: "city", label: "城市", kind: "text", width: 12 },
  { key: "serviceProviderName", label: "服务商", kind: "text", width: 18 },
  { key: "agentName", label: "代理商", kind: "text", width: 18 },
  { key: "teamName", label: "团队", kind: "text", width: 18 },
  { key: "salesmanName", label: "业务员", kind: "text", width: 12 },
  { key: "contactName", label: "联系人", kind: "text", width: 12 },
  { key: "contactPhone", label: "联系电话", kind: "text", width: 16 },
  { key: "channels", label: "支付渠道", kind: "text", width: 16 },
  { key: "storeCount", label: "门店数", kind: "count", width: 8 },
  { key: "feeRate", label: "费率", kind: "text", width: 8 },
  { key: "state", label: "状态", kind: "code", width: 8 },
  { key: "openedAt", label: "开通时间", kind: "time", width: 20 },
];
const BATCH = 500;
type Row = RowOf<typeof listMerchantRows>;

/** The list of merchants as a file, masked like the list. */
export const merchantExport: ExportSource<typeof merchantInput> = {
  name: "merchants",
  title: "商户",
  access: "/merchants/merchants/export",
  input: merchantInput,
  columns,
  count: async (tx, scope, filter) => countAll(tx, sql`merchants m where ${await merchantsWhere(tx, scope, filter)}`),
  async *rows(tx, scope, filter) {
    let last: Row | undefined;
    for (;;) {
      const after = last ? sql`(m.opened_at, m.id) < (${last.openedAt}::timestamptz, ${last.id}::uuid)` : sql`true`;
      const found: { rows: Row[] } = await sql<Row>`
        with m as (select * from merchants m where ${await merchantsWhere(tx, scope, filter)} and ${after} order by m.opened_at desc, m.id desc limit ${sql.lit(BATCH)})
        select ${merchantColumns(scope)} from m ${merchantNames(scope)} order by m.opened_at desc, m.id desc`.execute(tx);
      if (found.rows.length > 0) yield found.rows.map(cellsOf);
      last = found.rows.at(-1);
      if (found.rows.length < BATCH) return;
    }
  },
};
function cellsOf(found: Row): ExportRow {
  const { channels, loginUserId: _login, ...row } = withMasks(found);
  return {
    ...row,
    channels: channels.map((code) => payChannel.label(code)).join("、"),
    feeRate: `${(row.feeRate / 1000).toFixed(2)}%`,
    state: nodeState.label(row.state),
  };
}
