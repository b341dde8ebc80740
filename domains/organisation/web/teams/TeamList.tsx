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
import { addTeamAccount, listTeams, moveTeam, nodeState, summariseTeams, updateTeam } from "../../contract/index.ts";
import { LogInAs } from "../merchants/LogInAs.tsx";
import { AddTeamDrawer } from "./AddTeamDrawer.tsx";
import { EditTeamDrawer } from "./EditTeamDrawer.tsx";
import { MoveTeamDrawer } from "./MoveTeamDrawer.tsx";
import { TeamDetail } from "./TeamDetail.tsx";

interface Opens {
  readonly open: (id: string) => void;
  readonly edit: (id: string) => void;
  readonly move: (id: string) => void;
}

/** 业务团队: every team in sight, newest first, with what its merchants brought in this month. */
export function TeamList(): ReactNode {
  const list = useList(listTeams);
  const sums = useSummary(summariseTeams, list.filters).data;
  const mayExport = useAct(["/businessGroup/businessTeam/export"]);
  const [add, edit, move] = [usePanel("add"), usePanel("edit"), usePanel("move")];
  const adding = (
    <Act of={addTeamAccount}>
      <Button tone="primary" onClick={() => add.open()}>
        新建业务团队
      </Button>
    </Act>
  );
  return (
    <ListScreen
      title="业务团队"
      unit="个"
      list={list}
      tabs={{
        of: list.field("state"),
        set: nodeState,
        counts: sums && Object.fromEntries(sums.perState.map(({ state, count }) => [state, count])),
      }}
      filters={
        <>
          <Keyword of={list.field("keyword")} label="团队" placeholder="名称" />
          <OrgFilter of={list} levels={["serviceProviderId"]} />
        </>
      }
      actions={adding}
      {...(mayExport && { exportSource: "business-teams" })}
      columns={teamColumns({ open: list.open, edit: edit.open, move: move.open })}
      empty={{ text: "还没有业务团队", action: adding }}
    >
      <TeamDetail list={list} onEdit={edit.open} onMove={move.open} />
      {add.id && <AddTeamDrawer onClose={add.close} onOpen={list.open} />}
      {edit.id && <EditTeamDrawer key={edit.id} id={edit.id} onClose={edit.close} />}
      {move.id && <MoveTeamDrawer key={move.id} id={move.id} onClose={move.close} />}
    </ListScreen>
  );
}

function teamColumns({ open, edit, move }: Opens): Column<RowOf<typeof listTeams>>[] {
  const c = columns<RowOf<typeof listTeams>>();
  return [
    c.link("name", "业务团队", (row) => open(row.id), { width: 170, copy: false }),
    c.code("state", "状态", nodeState, { width: 80 }),
    c.text("leader", "负责人", { width: 92 }),
    c.text("serviceProviderName", "服务商", { hidden: true }),
    c.text("groupName", "业务集团", (row) => row.groupName ?? "服务商直属", { width: 140 }),
    c.number("salesmanCount", "业务员", { width: 72 }),
    c.number("merchantCount", "商户", { width: 72 }),
    c.money("monthPaidCents", "本月交易（元）", { width: 140 }),
    c.time("createdAt", "建立时间", { sort: "createdAt", width: 168 }),
    c.actions(
      (row) => (
        <>
          <Act of={updateTeam}>
            <Button tone="link" onClick={() => edit(row.id)}>
              修改
            </Button>
          </Act>
          <Act of={moveTeam}>
            <Button tone="link" onClick={() => move(row.id)}>
              转集团
            </Button>
          </Act>
          <LogInAs
            merchant={{ shortName: row.name, loginUserId: row.loginUserId }}
            of="/businessGroup/businessTeam/loginAs"
            what="业务团队"
            tone="link"
          />
        </>
      ),
      { width: 180 },
    ),
  ];
}
