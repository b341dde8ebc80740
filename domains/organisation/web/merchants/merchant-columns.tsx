import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { channelName } from "../../../channels/contract.ts";
import { type listMerchantRows, nodeState, updateMerchant } from "../../contract/index.ts";
import { LogInAs } from "./LogInAs.tsx";

export type Merchant = RowOf<typeof listMerchantRows>;

export const channelText = (codes: Merchant["channels"]): string => codes.map((code) => channelName(code, "wechat")).join("、");

/** The columns of a merchant; their keys are those of the export. */
export function merchantColumns({ open, edit }: { open: (id: string) => void; edit: (id: string) => void }): Column<Merchant>[] {
  const c = columns<Merchant>();
  const asked = { hidden: true };
  return [
    c.link("number", "商户编号", (row) => open(row.id), { width: 128 }),
    c.link("shortName", "商户", (row) => open(row.id), { width: 150, copy: false, note: (row) => row.name }),
    c.text("name", "商户名称", asked),
    c.text("trade", "行业", { width: 84 }),
    c.text("city", "城市", { width: 92 }),
    c.text("province", "省份", asked),
    c.text("serviceProviderName", "服务商", asked),
    c.text("agentName", "代理商", { width: 108 }),
    c.text("teamName", "团队", { width: 108 }),
    c.text("salesmanName", "业务员", { width: 84 }),
    c.text("contactName", "联系人", asked),
    c.text("contactPhone", "联系电话", asked),
    c.text("channels", "通道", (row) => channelText(row.channels), { width: 96 }),
    c.number("storeCount", "门店", { width: 64 }),
    c.text("feeRate", "费率", (row) => <span className="num">{percent(row.feeRate)}</span>, { ...asked, width: 80 }),
    c.code("state", "状态", nodeState, { width: 80 }),
    c.time("openedAt", "开通时间", { sort: "openedAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <Act of={updateMerchant}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
          <LogInAs merchant={row} tone="link" />
        </>
      ),
      { width: 132 },
    ),
  ];
}
