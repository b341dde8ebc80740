import { type ReactNode, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import type { ApiError } from "@zhangfang/web/api-errors.ts";
import { ApiError as Refused } from "@zhangfang/web/api-errors.ts";
import { call } from "@zhangfang/web/api.ts";
import { confirm, success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/Detail.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { type ConfigCalls, type ConfigKey, itemType } from "../contract/index.ts";
import { ConfigPane, type Edits } from "./ConfigPane.tsx";
import { ConfigTree, type TreeRow } from "./ConfigTree.tsx";
import { HistoryDrawer } from "./HistoryDrawer.tsx";
import { PreviewDrawer } from "./PreviewDrawer.tsx";
import "./level-config.css";

const NOTHING: Edits = new Map();
type Open = { readonly kind: "save" } | { readonly kind: "undo"; readonly saveId: string } | { readonly kind: "history" };

/** An inherited configuration: the tree on the left, the keys of the chosen node or nodes on the right. */
export function ConfigScreen({ title, calls }: { title: string; calls: ConfigCalls }): ReactNode {
  const [query, setQuery] = useSearchParams();
  const [edits, setEdits] = useState(NOTHING);
  const [ticked, setTicked] = useState<ReadonlyMap<string, TreeRow>>();
  const [open, setOpen] = useState<Open>();
  const client = useQueryClient();
  const keys = useDetail(calls.keys, {});
  const [type, id] = (query.get("node") ?? "").split(":");
  const named = ticked === undefined && id ? { item_type: Number(type), item_id: id } : undefined;
  const config = useDetail(calls.get, named);

  const mayLeave = async (): Promise<boolean> =>
    edits.size === 0 || confirm(`有 ${edits.size} 项修改还没有保存，确定放弃？`, { ok: "放弃修改" });
  const choose = async (node: TreeRow | undefined): Promise<void> => {
    if (!(await mayLeave())) return;
    setEdits(NOTHING);
    setQuery((before) => {
      const next = new URLSearchParams(before);
      if (node) next.set("node", `${node.item_type}:${node.item_id}`);
      else next.delete("node");
      return next;
    });
  };
  const tick = (node: TreeRow): void => {
    const next = new Map(ticked);
    if (!next.delete(node.id)) next.set(node.id, node);
    setTicked(next);
  };
  const many = async (): Promise<void> => {
    if (!(await mayLeave())) return;
    setEdits(NOTHING);
    setTicked(ticked ? undefined : new Map());
  };
  const refresh = (): void => {
    for (const one of [calls.get, calls.tree, calls.history]) void client.invalidateQueries({ queryKey: [one.path] });
  };
  const items = ticked ? [...ticked.values()].map(({ item_type, item_id }) => ({ item_type, item_id })) : named ? [named] : [];
  const configs = [...edits].map(([ckey, value]) => ({ ckey, value }));
  const save = async (tag: string): Promise<void> => {
    const { saveId, changed } = await call(calls.update, { items, configs, tag });
    setEdits(NOTHING);
    setOpen(undefined);
    refresh();
    const text = `已保存 ${changed} 项${title}`;
    if (saveId === null) success(text);
    else undoable(text, () => void call(calls.undo, { saveId }).then(refresh, ignoreSaid));
  };
  const undo = (saveId: string) => async (tag: string) => {
    const { changed } = await call(calls.undo, { saveId, tag });
    setOpen({ kind: "history" });
    refresh();
    success(`已撤销 ${changed} 项`);
  };
  const upload = (base64: string): Promise<string | undefined> => call(calls.picture, { base64 }).then(({ url }) => url, ignoreSaid);
  const all = (keys.data ?? []) as readonly ConfigKey[];
  const known = config.data ? new Map(config.data.configs.map((one) => [one.ckey, one])) : undefined;
  const node = config.data?.node;
  const shown = ticked !== undefined || named !== undefined;
  return (
    <section className={shown ? "config-screen config-chosen" : "config-screen"}>
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="screen-acts">
          {node && <Button onClick={() => setOpen({ kind: "history" })}>修改历史</Button>}
          <Button onClick={() => void many()}>{ticked ? "退出批量设置" : "批量设置"}</Button>
        </div>
      </header>
      <div className="config-parts">
        <div className="sheet">
          <ConfigTree calls={calls} chosen={named?.item_id} onChoose={(one) => void choose(one)} ticked={ticked} onTick={tick} />
        </div>
        <div className="sheet config-pane">
          {named && (
            <Button small className="config-back" onClick={() => void choose(undefined)}>
              返回层级
            </Button>
          )}
          {ticked ? (
            <p className="config-lead">
              {ticked.size === 0 ? "在左边勾选要一起设置的节点" : `已选 ${ticked.size} 个节点，只有改过的项会保存`}
            </p>
          ) : (
            node && (
              <p className="config-lead">
                <strong>{node.item_name}</strong>{" "}
                <span className="note">
                  {levelWords(itemType.label(node.item_type))} {node.item_number}
                </span>
              </p>
            )
          )}
          {config.error || keys.error ? (
            <Failure error={(config.error ?? keys.error) as ApiError} retry={() => void Promise.all([config.refetch(), keys.refetch()])} />
          ) : !shown ? (
            <Empty text="选择一个节点，查看每一项的生效值和来源" />
          ) : (!ticked && !config.data) || !keys.data ? (
            <Skeleton rows={8} />
          ) : (
            <ConfigPane key={node?.item_id ?? "many"} keys={all} known={known} edits={edits} onEdit={setEdits} upload={upload} />
          )}
          {edits.size > 0 && (
            <div className="save-bar">
              <span>已改 {edits.size} 项</span>
              <Button onClick={() => setEdits(NOTHING)}>全部取消</Button>
              <Button tone="primary" disabled={items.length === 0} onClick={() => setOpen({ kind: "save" })}>
                查看影响并保存
              </Button>
            </div>
          )}
        </div>
      </div>
      {open?.kind === "history" && node && (
        <HistoryDrawer
          calls={calls}
          keys={all}
          node={node}
          onUndo={(saveId) => setOpen({ kind: "undo", saveId })}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === "save" && (
        <PreviewDrawer
          title={`保存${title}`}
          calls={calls}
          keys={all}
          input={{ items, configs }}
          {...(known && { seen: new Map([...known].map(([ckey, one]) => [ckey, one.own])) })}
          save={save}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open?.kind === "undo" && (
        <PreviewDrawer
          title="撤销修改"
          calls={calls}
          keys={all}
          input={{ undo: open.saveId }}
          save={undo(open.saveId)}
          onClose={() => setOpen({ kind: "history" })}
        />
      )}
    </section>
  );
}
/** The call has said it already. */
function ignoreSaid(failure: unknown): undefined {
  if (!(failure instanceof Refused)) throw failure;
  return undefined;
}
