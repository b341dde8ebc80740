import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import { exportColumn, type ExportRow, type ExportSource } from "@zhangfang/server/export-source.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { payChannel } from "../../../channels/contract.ts";
import { type listMerchantRows, nodeState } from "../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./merchant-columns.ts";
import { merchantInput, merchantsWhere } from "./merchant-filter.ts";

const BATCH = 500;
type Row = RowOf<typeof listMerchantRows>;

/** The list of merchants as a file, masked like the list. */
export const merchantExport: ExportSource<typeof merchantInput> = {
  name: "merchants",
  title: "商户",
  access: "/merchants/merchants/export",
  input: merchantInput,
  columns: [
    exportColumn("number", "商户编号", 14),
    exportColumn("name", "商户名称", 30),
    exportColumn("shortName", "简称", 18),
    exportColumn("trade", "行业", 12),
    exportColumn("province", "省份", 12),
    exportColumn("city", "城市", 12),
    exportColumn("serviceProviderName", "服务商", 18),
    exportColumn("agentName", "代理商", 18),
    exportColumn("teamName", "团队", 18),
    exportColumn("salesmanName", "业务员", 12),
    exportColumn("contactName", "联系人", 12),
    exportColumn("contactPhone", "联系电话", 16),
    exportColumn("channels", "支付渠道", 16),
    exportColumn("storeCount", "门店数", 8, "count"),
    exportColumn("feeRate", "费率", 8),
    exportColumn("state", "状态", 8, "code"),
    exportColumn("openedAt", "开通时间", 20, "time"),
  ],
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
