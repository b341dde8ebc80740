import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { addSalesmanAccount, handOverMerchants, listSalesmen, nodeState, summariseSalesmen, updateSalesman } from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { AddSalesmanDrawer } from "./AddSalesmanDrawer.tsx";
import { EditSalesmanDrawer } from "./EditSalesmanDrawer.tsx";
import { HandOverDrawer } from "./HandOverDrawer.tsx";
import { SalesmanDetail } from "./SalesmanDetail.tsx";

interface Opens {
  readonly open: (id: string) => void;
  readonly edit: (id: string) => void;
  readonly handOver: (id: string) => void;
}

/** 业务员: every salesman in sight, newest first, with what his merchants brought in this month. */
export function SalesmanList(): ReactNode {
  const list = useList(listSalesmen);
  const sums = useSummary(summariseSalesmen, list.filters).data;
  const mayExport = useAct(["/salesman/salesman/export"]);
  const [add, edit, handOver] = [usePanel("add"), usePanel("edit"), usePanel("handover")];
  const adding = (
    <Act of={addSalesmanAccount}>
      <Button tone="primary" onClick={() => add.open()}>
        新建业务员
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="业务员"
      unit="人"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="业务员" placeholder="姓名 / 手机尾号" />
          <OrgFilter of={list} levels={["serviceProviderId", "agentId", "businessTeamId"]} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "salesmen" })}
      columns={salesmanColumns({ open: list.open, edit: edit.open, handOver: handOver.open })}
      empty={{ text: "还没有业务员", action: adding }}
    >
      <SalesmanDetail list={list} onEdit={edit.open} onHandOver={handOver.open} />
      {add.id && <AddSalesmanDrawer onClose={add.close} onOpen={list.open} />}
      {edit.id && <EditSalesmanDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
      {handOver.id && <HandOverDrawer key={handOver.id} id={handOver.id} onClose={handOver.close} />}
    </ListScreen>
  );
}

function salesmanColumns({ open, edit, handOver }: Opens): Column<RowOf<typeof listSalesmen>>[] {
  const c = columns<RowOf<typeof listSalesmen>>();
  return [
    c.link("name", "业务员", (row) => open(row.id), { width: 110, copy: false }),
    c.code("state", "状态", nodeState, { width: 80 }),
    c.text("phone", "手机号", { width: 124 }),
    c.text("teamName", "所属", (row) => row.teamName ?? row.agentName ?? "服务商直属", { width: 140 }),
    c.text("serviceProviderName", "服务商", { hidden: true }),
    c.number("merchantCount", "商户", { width: 72 }),
    c.money("monthPaidCents", "本月交易（元）", { width: 140 }),
    c.time("createdAt", "加入时间", { sort: "createdAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <Act of={updateSalesman}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
          {row.merchantCount > 0 && (
            <Act of={handOverMerchants}>
              <Button tone="link" onClick={() => handOver(row.id)}>
                移交
              </Button>
            </Act>
          )}
          <LogInAs
            merchant={{ shortName: row.name, loginUserId: row.loginUserId }}
            of="/salesman/salesman/loginAs"
            what="业务员"
            tone="link"
          />
        </>
      ),
      { width: 168 },
    ),
  ];
}
