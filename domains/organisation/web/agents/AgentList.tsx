import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { OrgFilter } from "@zhangfang/web/filter/OrgFilter.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import {
  addAgentAccount,
  contractStatus,
  listAgents,
  nodeState,
  setAgentRatio,
  summariseAgents,
  updateAgent,
} from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { AddAgentDrawer } from "./AddAgentDrawer.tsx";
import { AgentContractDrawer } from "./AgentContractDrawer.tsx";
import { AgentDetail } from "./AgentDetail.tsx";
import { ChangeAgent } from "./ChangeAgent.tsx";

interface Opens {
  readonly open: (id: string) => void;
  readonly edit: (id: string) => void;
  readonly ratio: (id: string) => void;
}

/** 代理商: every agent in sight, newest first, with what it brought in this month. */
export function AgentList(): ReactNode {
  const list = useList(listAgents);
  const sums = useSummary(summariseAgents, list.filters).data;
  const mayExport = useAct(["/agent/agent/export"]);
  const [add, edit, ratio, contract] = [usePanel("add"), usePanel("edit"), usePanel("ratio"), usePanel("contract")];
  const cancel = usePanel("cancel");
  const adding = (
    <Act of={addAgentAccount}>
      <Button tone="primary" onClick={() => add.open()}>
        新建代理商
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="代理商"
      unit="家"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="代理商" placeholder="名称 / 区域" />
          <Choice of={list.field("contract")} label="合同" set={contractStatus} />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "agents" })}
      columns={agentColumns({ open: list.open, edit: edit.open, ratio: ratio.open })}
      empty={{ text: "还没有代理商", action: adding }}
    >
      <AgentDetail list={list} onEdit={edit.open} onRatio={ratio.open} onContract={contract.open} onCancel={cancel.open} />
      {add.id && <AddAgentDrawer onClose={add.close} onOpen={list.open} />}
      {edit.id && <ChangeAgent key={edit.id} id={edit.id} change="facts" onClose={edit.close} />}
      {ratio.id && <ChangeAgent key={ratio.id} id={ratio.id} change="ratio" onClose={ratio.close} />}
      {contract.id && <AgentContractDrawer key={contract.id} id={contract.id} act="next" onClose={contract.close} />}
      {cancel.id && <AgentContractDrawer key={cancel.id} id={cancel.id} act="cancel" onClose={cancel.close} />}
    </ListScreen>
  );
}

function agentColumns({ open, edit, ratio }: Opens): Column<RowOf<typeof listAgents>>[] {
  const c = columns<RowOf<typeof listAgents>>();
  return [
    c.link("name", "代理商", (row) => open(row.id), { width: 160, copy: false }),
    c.code("state", "状态", nodeState, { width: 80 }),
    c.code("contractStatus", "合同", contractStatus, { width: 84 }),
    c.text("contractUntil", "合同到期", (row) => row.contractUntil && <span className="num">{row.contractUntil}</span>, { width: 108 }),
    c.text("region", "区域", { width: 92 }),
    c.text("contactName", "联系人", { width: 84 }),
    c.text("contactPhone", "联系电话", { width: 124 }),
    c.text("serviceProviderName", "服务商", { hidden: true }),
    c.text("profitRatio", "分润比例", (row) => <span className="num">{percent(row.profitRatio)}</span>, { width: 92 }),
    c.number("merchantCount", "商户", { width: 72 }),
    c.number("salesmanCount", "业务员", { width: 72 }),
    c.money("monthPaidCents", "本月交易（元）", { width: 140 }),
    c.money("monthCommissionCents", "本月佣金（元）", { width: 132 }),
    c.time("createdAt", "加入时间", { sort: "createdAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <Act of={updateAgent}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
          <Act of={setAgentRatio}>
            <Button tone="link" onClick={() => ratio(row.id)}>
              调比例
            </Button>
          </Act>
          <LogInAs merchant={{ shortName: row.name, loginUserId: row.loginUserId }} of="/agent/agent/loginAs" what="代理商" tone="link" />
        </>
      ),
      { width: 180 },
    ),
  ];
}
