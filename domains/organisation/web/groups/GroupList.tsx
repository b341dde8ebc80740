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
import { addGroupAccount, listGroups, nodeState, summariseGroups, updateGroup } from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { AddGroupDrawer } from "./AddGroupDrawer.tsx";
import { EditGroupDrawer } from "./EditGroupDrawer.tsx";
import { GroupDetail } from "./GroupDetail.tsx";

/** 业务集团: every group in sight, newest first, with what its teams' merchants brought in this month. */
export function GroupList(): ReactNode {
  const list = useList(listGroups);
  const sums = useSummary(summariseGroups, list.filters).data;
  const mayExport = useAct(["/businessGroup/businessGroup/export"]);
  const [add, edit] = [usePanel("add"), usePanel("edit")];
  const adding = (
    <Act of={addGroupAccount}>
      <Button tone="primary" onClick={() => add.open()}>
        新建业务集团
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="业务集团"
      unit="个"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="集团" placeholder="名称" />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "business-groups" })}
      columns={groupColumns(list.open, edit.open)}
      empty={{ text: "还没有业务集团", action: adding }}
    >
      <GroupDetail list={list} onEdit={edit.open} />
      {add.id && <AddGroupDrawer onClose={add.close} onOpen={list.open} />}
      {edit.id && <EditGroupDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
    </ListScreen>
  );
}

function groupColumns(open: (id: string) => void, edit: (id: string) => void): Column<RowOf<typeof listGroups>>[] {
  const c = columns<RowOf<typeof listGroups>>();
  return [
    c.link("name", "业务集团", (row) => open(row.id), { width: 170, copy: false }),
    c.code("state", "状态", nodeState, { width: 80 }),
    c.text("leader", "负责人", { width: 92 }),
    c.text("serviceProviderName", "服务商", { hidden: true }),
    c.number("teamCount", "团队", { width: 72 }),
    c.number("merchantCount", "商户", { width: 72 }),
    c.money("monthPaidCents", "本月交易（元）", { width: 140 }),
    c.time("createdAt", "建立时间", { sort: "createdAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <Act of={updateGroup}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
          <LogInAs
            merchant={{ shortName: row.name, loginUserId: row.loginUserId }}
            of="/businessGroup/businessGroup/loginAs"
            what="业务集团"
            tone="link"
          />
        </>
      ),
      { width: 132 },
    ),
  ];
}
