import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { Keyword } from "@zhangfang/web/filter/Keyword.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList } from "@zhangfang/web/list/use-list.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { AreaManagers } from "./AreaManagers.tsx";
import { KINDS, type SetKind } from "./kinds.ts";
import { SetDetail } from "./SetDetail.tsx";
import { AddSet, AddStoresToSet, RenameSet } from "./SetForms.tsx";

/** 门店分组: named sets of the merchant's stores, for filters and reports. */
export const StoreGroups = (): ReactNode => <StoreSets kind={KINDS.group} />;
/** 区域分组: sets of stores with area managers, whose accounts see just these. */
export const StoreAreas = (): ReactNode => <StoreSets kind={KINDS.area} />;

function StoreSets({ kind }: { kind: SetKind }): ReactNode {
  const list = useList<SetKind["list"]>(kind.list);
  const [add, rename, stores, managers] = [usePanel("add"), usePanel("rename"), usePanel("stores"), usePanel("managers")];
  const about = rename.id ?? stores.id ?? managers.id;
  const set = useDetail(kind.get, about && { id: about }).data;
  const adding = (
    <Act of={kind.add}>
      <Button tone="primary" onClick={() => add.open()}>
        新建{kind.what}
      </Button>
    </Act>
  );
  const c = columns<RowOf<SetKind["list"]>>();
  return (
    <ListScreen
      title={kind.title}
      unit="个"
      list={list}
      filters={<Keyword of={list.field("keyword")} label={kind.what} placeholder="名称" />}
      actions={adding}
      columns={[
        c.link("name", `${kind.what}名称`, (row) => list.open(row.id), { width: 200, copy: false }),
        c.number("storeCount", "门店", { width: 80 }),
        ...(kind.filter === "areaId"
          ? [c.text("managers", "区域经理", (row) => row.managers.map(({ name }) => name).join("、"), { width: 200 })]
          : []),
        c.time("createdAt", "创建时间", { width: 168 }),
        c.actions(
          (row) => (
            <Act of={kind.change}>
              <Button tone="link" onClick={() => stores.open(row.id)}>
                添加门店
              </Button>
            </Act>
          ),
          { width: 96 },
        ),
      ]}
      empty={{ text: `还没有${kind.what}`, action: adding }}
    >
      <SetDetail kind={kind} list={list} onRename={rename.open} onAdd={stores.open} onManagers={managers.open} />
      {add.id && <AddSet kind={kind} onClose={add.close} />}
      {set && rename.id && <RenameSet key={set.id} kind={kind} set={set} onClose={rename.close} />}
      {set && stores.id && <AddStoresToSet key={set.id} kind={kind} set={set} onClose={stores.close} />}
      {set && managers.id && <AreaManagers key={set.id} area={set} onClose={managers.close} />}
    </ListScreen>
  );
}
