import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { nodeState } from "../../../organisation/contract/index.ts";
import { type getStoreGroup, listStoreChoices, listStoreRows, setAreaManagers } from "../../contract/index.ts";
import type { SetKind } from "./kinds.ts";

type Details = OutputOf<typeof getStoreGroup>;
interface Opens {
  readonly kind: SetKind;
  readonly list: List<SetKind["list"]>;
  readonly onRename: (id: string) => void;
  readonly onAdd: (id: string) => void;
  readonly onManagers: (id: string) => void;
}

/** One set over the list: its stores, and of an area its managers. */
export function SetDetail({ kind, list, onRename, onAdd, onManagers }: Opens): ReactNode {
  const of = useDetail(kind.get, list.openId && { id: list.openId });
  if (list.openId === undefined) return null;
  const { data } = of;
  return (
    <DetailDrawer
      title={data ? data.name : `${kind.what}详情`}
      of={of}
      onClose={list.close}
      footer={
        data && (
          <>
            <RemoveSet kind={kind} set={data} onDone={list.close} />
            {kind.filter === "areaId" && (
              <Act of={setAreaManagers}>
                <Button onClick={() => onManagers(data.id)}>设置区域经理</Button>
              </Act>
            )}
            <Act of={kind.rename}>
              <Button onClick={() => onRename(data.id)}>改名</Button>
              <Button tone="primary" onClick={() => onAdd(data.id)}>
                添加门店
              </Button>
            </Act>
          </>
        )
      }
    >
      {(set) => (
        <>
          <HeroLine label={kind.what} value={set.name} />
          {kind.filter === "areaId" && (
            <Group title="区域经理" pairs={set.managers.map(({ login, name }) => [login, name])}>
              {set.managers.length === 0 && <p className="note">还没有区域经理</p>}
            </Group>
          )}
          <Stores kind={kind} set={set} />
        </>
      )}
    </DetailDrawer>
  );
}

function Stores({ kind, set }: { kind: SetKind; set: Details }): ReactNode {
  const [, run] = useRun([kind.get, kind.list, listStoreRows]);
  const c = columns<Details["stores"][number]>();
  const takeOut = async (store: Details["stores"][number]): Promise<void> => {
    const out = set.sessionCount > 0 ? `区域经理的 ${set.sessionCount} 处登录立即退出，之后看不到它。` : "";
    if (!(await confirm(`把「${store.name}」移出${kind.what}「${set.name}」？${out}`, { ok: "移出" }))) return;
    const change = (act: "add" | "remove"): Promise<unknown> => call(kind.change, { id: set.id, act, ids: [store.id] });
    await run(async () => {
      await change("remove");
      undoable(`已移出「${store.name}」`, () => void run(() => change("add")));
    });
  };
  return (
    <Group title={`门店（${set.storeCount} 家）`}>
      {set.stores.length === 0 ? (
        <p className="note">还没有门店</p>
      ) : (
        <DataTable
          label="门店"
          rows={set.stores}
          columns={[
            c.text("number", "门店编号", { width: 128 }),
            c.text("name", "门店", { width: 180 }),
            c.text("city", "城市", { width: 100 }),
            c.code("state", "状态", nodeState, { width: 80 }),
            c.actions(
              (row) => (
                <Act of={kind.change}>
                  <Button tone="link" onClick={() => void takeOut(row)}>
                    移出
                  </Button>
                </Act>
              ),
              { width: 72 },
            ),
          ]}
        />
      )}
      {set.storeCount > 0 && <Link to={`/store/store?${kind.filter}=${set.id}`}>在门店列表里查看</Link>}
    </Group>
  );
}

function RemoveSet({ kind, set, onDone }: { kind: SetKind; set: Details; onDone: () => void }): ReactNode {
  const client = useQueryClient();
  const go = async (): Promise<void> => {
    const text = `删除${kind.what}「${set.name}」？${set.storeCount} 家门店不再属于它，门店本身不变。`;
    if (!(await confirm(text, { ok: "删除", danger: true }))) return;
    try {
      await call(kind.remove, { id: set.id });
      success("已删除");
      onDone();
      for (const { path } of [kind.list, listStoreRows, listStoreChoices]) void client.invalidateQueries({ queryKey: [path] });
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    }
  };
  return (
    <Act of={kind.remove}>
      <Button tone="danger" onClick={() => void go()}>
        删除
      </Button>
    </Act>
  );
}
