import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { More } from "@zhangfang/web/show/over/Popover.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { addOwnPosition, assignPosition, listPositions, removeOwnPosition, updateOwnPosition } from "../../contract/index.ts";
import { AssignDrawer } from "./AssignDrawer.tsx";
import { PositionDrawer } from "./PositionDrawer.tsx";
import "../accounts.css";

type Row = RowOf<typeof listPositions>;

/** 权限管理: positions, each a set of items out of what the root itself holds, and who holds them. */
export function PositionList(): ReactNode {
  const list = useList(listPositions);
  const [position, assign] = [usePanel("position"), usePanel("assign")];
  const c = columns<Row>();
  const rowOf = (id: string | undefined): Row | undefined => list.rows.find((row) => row.id === id);
  const add = (
    <Act of={addOwnPosition}>
      <Button tone="primary" onClick={() => position.open()}>
        新增岗位
      </Button>
    </Act>
  );
  const edited = rowOf(position.id);
  const assigned = rowOf(assign.id);
  return (
    <ListScreen
      title="权限管理"
      unit="个"
      list={list}
      filters={<Keyword of={list.field("keyword")} label="岗位" placeholder="岗位名称" maxLength={32} />}
      columns={[
        c.link("name", "岗位", (row) => position.open(row.id), { copy: false }),
        c.text("items", "权限", (row) => (
          <>
            {row.held} 项{row.held < row.items.length && <Tag tone="warn">{row.items.length - row.held} 项已失效</Tag>}
          </>
        )),
        c.number("holders", "子账号"),
        c.number("sessions", "在线"),
        c.time("createdAt", "创建时间", { sort: "-createdAt" }),
        c.actions((row) => (
          <>
            <Act of={updateOwnPosition}>
              <Button tone="link" onClick={() => position.open(row.id)}>
                编辑
              </Button>
            </Act>
            <Act of={assignPosition}>
              <Button tone="link" onClick={() => assign.open(row.id)}>
                分配
              </Button>
            </Act>
            <Act of={removeOwnPosition}>
              <More>
                <Button tone="quiet" onClick={() => void remove(row, list.refresh)}>
                  删除
                </Button>
              </More>
            </Act>
          </>
        )),
      ]}
      onOpen={(row) => position.open(row.id)}
      hrefOf={(row) => position.hrefOf(row.id)}
      actions={add}
      empty={{ text: "还没有岗位。岗位是一组权限，建好后分配给子账号", action: add }}
    >
      {position.id && (position.id === "new" || edited) && <PositionDrawer key={position.id} position={edited} onClose={position.close} />}
      {assigned && <AssignDrawer key={assigned.id} position={assigned} onClose={assign.close} />}
    </ListScreen>
  );
}

async function remove(row: Row, refresh: () => void): Promise<void> {
  if (!(await confirm(`删除岗位「${row.name}」（${row.items.length} 项权限，${row.holders} 个子账号）？`, { ok: "删除", danger: true })))
    return;
  await call(removeOwnPosition, { id: row.id });
  success("已删除");
  refresh();
}
