import { type ReactNode, useEffect, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success, undoable } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { type ConfigCalls, type ConfigKey, itemType, PLATFORM_ID, wrongValue } from "../contract/index.ts";
import { ConfigPane } from "./ConfigPane.tsx";
import { ConfigTree, placeOf, type TreeRow } from "./ConfigTree.tsx";
import { HistoryDrawer } from "./HistoryDrawer.tsx";
import { PreviewDrawer } from "./PreviewDrawer.tsx";
import { type Chosen, useChoice } from "./use-choice.ts";
import "./level-config.css";

type Open = { readonly kind: "save" } | { readonly kind: "undo"; readonly saveId: string } | { readonly kind: "history" };

/** An inherited configuration: the tree on the left, the keys of the chosen node or nodes on the right. */
export function ConfigScreen({ title, calls }: { title: string; calls: ConfigCalls }): ReactNode {
  const choice = useChoice(calls);
  const { named, ticked } = choice;
  const [open, setOpen] = useState<Open>();
  const keys = useDetail(calls.keys, {});
  useOwnNode(calls, choice);
  const config = useDetail(calls.get, named);
  const all = (keys.data ?? []) as readonly ConfigKey[];
  const known = config.data ? new Map(config.data.configs.map((one) => [one.ckey, one])) : undefined;
  const node = config.data?.node;
  const upload = (base64: string): Promise<string | undefined> => call(calls.picture, { base64 }).then(({ url }) => url, ignoreSaid);
  return (
    <section className={ticked || named ? "config-screen config-chosen" : "config-screen"}>
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="screen-acts">
          {node && <Button onClick={() => setOpen({ kind: "history" })}>修改历史</Button>}
          <Button onClick={() => void choice.many()}>{ticked ? "退出批量设置" : "批量设置"}</Button>
        </div>
      </header>
      <div className="config-parts">
        <div className="sheet config-nodes">
          <ConfigTree
            calls={calls}
            chosen={named?.item_id}
            above={aboveOf(node)}
            onChoose={(one) => void choice.choose(one)}
            ticked={ticked}
            onTick={choice.tick}
          />
        </div>
        <div className="sheet config-pane">
          {named && (
            <Button small className="config-back" onClick={() => void choice.choose(undefined)}>
              返回层级
            </Button>
          )}
          <Lead ticked={ticked} node={node} />
          {choice.restored && <Restored choice={choice} />}
          {config.error || keys.error ? (
            <Failure error={(config.error ?? keys.error) as ApiError} retry={() => void Promise.all([config.refetch(), keys.refetch()])} />
          ) : !ticked && !named ? (
            <Empty text="选择一个节点，查看每一项的生效值和来源" />
          ) : (!ticked && !config.data) || !keys.data ? (
            <Skeleton rows={8} />
          ) : (
            <ConfigPane
              key={node?.item_id ?? "many"}
              keys={all}
              known={known}
              edits={choice.edits}
              onEdit={(edits) => choice.setEdits(edits, known)}
              upload={upload}
            />
          )}
          <SaveBar choice={choice} keys={all} onSave={() => setOpen({ kind: "save" })} />
        </div>
      </div>
      {open && <Over title={title} calls={calls} keys={all} open={open} setOpen={setOpen} choice={choice} node={node} />}
    </section>
  );
}

/** Begins with the highest node in sight; a phone with the tree, which fills it. */
function useOwnNode(calls: ConfigCalls, { named, ticked, begin }: Chosen): void {
  const narrow = useNarrow();
  const off = narrow || ticked !== undefined || named !== undefined;
  const own = useDetail(calls.tree, off ? undefined : {}).data?.items[0];
  useEffect(() => {
    if (!off && own) begin(own);
    // Once for what was found; `begin` is another function at every drawing.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [off, own]);
}

/** The nodes that a node lies in, the platform among them. */
const aboveOf = (node: TreeRow | undefined): ReadonlySet<string> =>
  new Set(
    node
      ? [PLATFORM_ID, node.service_provider_id, node.merchant_id, node.store_id].filter((one) => one !== null && one !== node.item_id)
      : [],
  ) as ReadonlySet<string>;

function Lead({ ticked, node }: { ticked: Chosen["ticked"]; node: TreeRow | undefined }): ReactNode {
  if (ticked)
    return <p className="config-lead">{ticked.size === 0 ? "勾选要一起设置的节点" : `已选 ${ticked.size} 个节点，只有改过的项会保存`}</p>;
  if (!node) return null;
  return (
    <p className="config-lead">
      <strong>{node.item_name}</strong>{" "}
      <span className="note">
        {node.item_type !== 4 && levelWords(itemType.label(node.item_type))} {node.item_number}
        {placeOf(node) && ` · ${placeOf(node)}`}
      </span>
    </p>
  );
}

/** Says that edits came back, and offers to throw them away. */
function Restored({ choice: { edits, discard } }: { choice: Chosen }): ReactNode {
  return (
    <p className="notice config-restored" role="status">
      上次有 {edits.size} 项修改没有保存，已经恢复。
      <Button small tone="link" onClick={discard}>
        放弃这些修改
      </Button>
    </p>
  );
}

function SaveBar({
  choice: { edits, discard, items },
  keys,
  onSave,
}: {
  choice: Chosen;
  keys: readonly ConfigKey[];
  onSave: () => void;
}): ReactNode {
  if (edits.size === 0) return null;
  const wrong = keys.filter((key) => {
    const edit = edits.get(key.ckey);
    return edit !== undefined && edit !== null && wrongValue(key, edit) !== undefined;
  });
  return (
    <div className="save-bar">
      <span>
        已改 {edits.size} 项{wrong.length > 0 && `，请先改正：${wrong.map(({ name }) => name).join("、")}`}
      </span>
      <Button onClick={discard}>全部取消</Button>
      <Button tone="primary" disabled={items.length === 0 || wrong.length > 0} onClick={onSave}>
        查看影响并保存
      </Button>
    </div>
  );
}

/** The drawers: what a save would do, the history, and what taking a save back would do. */
function Over({
  title,
  calls,
  keys,
  open,
  setOpen,
  choice,
  node,
}: {
  title: string;
  calls: ConfigCalls;
  keys: readonly ConfigKey[];
  open: Open;
  setOpen: (open: Open | undefined) => void;
  choice: Chosen;
  node: TreeRow | undefined;
}): ReactNode {
  const client = useQueryClient();
  const refresh = (): void => {
    for (const one of [calls.get, calls.tree, calls.history]) void client.invalidateQueries({ queryKey: [one.path] });
  };
  if (open.kind === "history")
    return node ? (
      <HistoryDrawer
        calls={calls}
        keys={keys}
        node={node}
        onUndo={(saveId) => setOpen({ kind: "undo", saveId })}
        onClose={() => setOpen(undefined)}
      />
    ) : null;
  if (open.kind === "undo") {
    const undo = async (tag: string): Promise<void> => {
      const { changed } = await call(calls.undo, { saveId: open.saveId, tag });
      setOpen({ kind: "history" });
      refresh();
      success(`已撤销 ${changed} 项`);
    };
    const back = (): void => setOpen({ kind: "history" });
    return (
      <PreviewDrawer title="撤销修改" submit="撤销" calls={calls} keys={keys} input={{ undo: open.saveId }} save={undo} onClose={back} />
    );
  }
  const input = { items: choice.items, configs: [...choice.edits].map(([ckey, value]) => ({ ckey, value })) };
  const save = async (tag: string): Promise<void> => {
    const { saveId, changed } = await call(calls.update, { ...input, tag });
    choice.discard();
    setOpen(undefined);
    refresh();
    const text = `已保存 ${changed} 项${title}`;
    if (saveId === null) success(text);
    else undoable(text, () => void call(calls.undo, { saveId }).then(refresh, ignoreSaid));
  };
  return (
    <PreviewDrawer
      title={`保存${title}`}
      calls={calls}
      keys={keys}
      input={input}
      seen={choice.seen}
      save={save}
      onClose={() => setOpen(undefined)}
    />
  );
}
/** The call has said it already. */
function ignoreSaid(failure: unknown): undefined {
  if (!(failure instanceof ApiError)) throw failure;
  return undefined;
}
