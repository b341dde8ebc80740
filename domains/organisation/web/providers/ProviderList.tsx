import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addProviderAccount, contractState, listProviders, nodeState, summariseProviders, updateProvider } from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { AddProviderDrawer } from "./AddProviderDrawer.tsx";
import { BrandDrawer } from "./BrandDrawer.tsx";
import { ContractDrawer } from "./contract/ContractDrawer.tsx";
import { daysLeftText } from "./contract/contract-words.ts";
import { EditProviderDrawer } from "./EditProviderDrawer.tsx";
import { LevelNamesDrawer } from "./LevelNamesDrawer.tsx";
import { ProviderDetail } from "./ProviderDetail.tsx";

/** 服务商: every tenant of the platform, newest first, with what stands below it and how its contract stands. */
export function ProviderList(): ReactNode {
  const list = useList(listProviders);
  const sums = useSummary(summariseProviders, list.filters).data;
  const mayExport = useAct(["/admin/serviceProvider/export"]);
  const [add, edit, brand, names, contract] = [
    usePanel("add"),
    usePanel("edit"),
    usePanel("brand"),
    usePanel("names"),
    usePanel("contract"),
  ];
  const adding = (
    <Act of={addProviderAccount}>
      <Button tone="primary" onClick={() => add.open()}>
        新建服务商
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="服务商"
      unit="家"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="服务商" placeholder="名称 / 编号" />
          <Choice of={list.field("contract")} label="合同" set={contractState} />
        </>
      }
      totals={sums && sums.expiring > 0 ? [["30 天内到期", `${sums.expiring} 家`]] : undefined}
      actions={adding}
      {...(mayExport && { exportSource: "providers" })}
      columns={providerColumns({ open: list.open, edit: edit.open })}
      empty={{ text: "还没有服务商", action: adding }}
    >
      <ProviderDetail list={list} onEdit={edit.open} onBrand={brand.open} onNames={names.open} onContract={contract.open} />
      {add.id && <AddProviderDrawer onClose={add.close} onOpen={list.open} />}
      {edit.id && <EditProviderDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
      {brand.id && <BrandDrawer key={brand.id} id={brand.id} onClose={brand.close} />}
      {names.id && <LevelNamesDrawer key={names.id} id={names.id} onClose={names.close} />}
      {contract.id && <ContractDrawer key={contract.id} what={contract.id} onClose={contract.close} />}
    </ListScreen>
  );
}

type Row = RowOf<typeof listProviders>;
/** What is used of a quota. */
const used = (count: number, quota: number | null): string =>
  quota === null ? count.toLocaleString("en-US") : `${count.toLocaleString("en-US")} / ${quota.toLocaleString("en-US")}`;

function providerColumns({ open, edit }: { open: (id: string) => void; edit: (id: string) => void }): Column<Row>[] {
  const c = columns<Row>();
  const of = (
    kind: keyof Row["quotas"],
    count: "merchantCount" | "storeCount" | "deviceCount" | "accountCount",
    title: string,
    hidden = false,
  ) => c.text(count, title, (row) => <span className="num">{used(row[count], row.quotas[kind])}</span>, { width: 92, hidden });
  return [
    c.link("shortName", "服务商", (row) => open(row.id), { width: 150, copy: false, note: (row) => row.number }),
    c.code("state", "状态", nodeState, { width: 76 }),
    c.code("contractState", "合同", contractState, { width: 88 }),
    c.text("contractUntil", "到期日", (row) => row.contractUntil ?? "长期", { width: 120, note: daysLeftText }),
    c.text("contactName", "联系人", { width: 84 }),
    c.text("contactPhone", "联系电话", { width: 124 }),
    c.text("feeRate", "费率", (row) => <span className="num">{percent(row.feeRate)}</span>, { width: 76 }),
    of("merchants", "merchantCount", "商户"),
    of("stores", "storeCount", "门店"),
    of("devices", "deviceCount", "设备"),
    of("accounts", "accountCount", "账号", true),
    c.text("name", "全称", { hidden: true }),
    c.time("createdAt", "开通时间", { sort: "createdAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <Act of={updateProvider}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
          <LogInAs
            merchant={{ shortName: row.shortName, loginUserId: row.loginUserId }}
            of="/admin/serviceProvider/loginAs"
            what="服务商"
            tone="link"
          />
        </>
      ),
      { width: 140 },
    ),
  ];
}
