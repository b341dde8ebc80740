import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { channelName } from "../../../../channels/contract.ts";
import { type listMerchantRows, nodeState } from "../../../contract/index.ts";
import { merchantsListed } from "./list-merchant-rows.ts";
import { withMasks } from "./merchant-columns.ts";
import { merchantInput } from "./merchant-filter.ts";

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
    exportColumn("channels", "通道", 16),
    exportColumn("storeCount", "门店数", 8, "count"),
    exportColumn("feeRate", "费率", 8),
    exportColumn("state", "状态", 8, "code"),
    exportColumn("openedAt", "开通时间", 20, "time"),
  ],
  ...fileOf(merchantsListed, cellsOf, "-openedAt"),
};
function cellsOf(found: Row): ExportRow {
  const { channels, loginUserId: _login, ...row } = withMasks(found);
  return {
    ...row,
    channels: channels.map((code) => channelName(code, "wechat")).join("、"),
    feeRate: `${(row.feeRate / 1000).toFixed(2)}%`,
    state: nodeState.label(row.state),
  };
}
