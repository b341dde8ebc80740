import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { levelWords } from "@zhangfang/web/level-names.ts";
import { itemType, type ConfigCalls } from "../contract/index.ts";

export type TreeRow = OutputOf<ConfigCalls["tree"]>["items"][number];
interface Shared {
  readonly calls: Pick<ConfigCalls, "tree">;
  readonly chosen: string | undefined;
  /** The nodes that the chosen one lies in: the tree is open down to it. */
  readonly above?: ReadonlySet<string>;
  onChoose(node: TreeRow): void;
  /** The ids that are ticked; undefined where nothing is. */
  readonly ticked: ReadonlyMap<string, unknown> | undefined;
  onTick(node: TreeRow): void;
  /** For choosing nodes: without how many keys each has of its own. */
  readonly plain?: boolean;
}

/**
 * 层级: the tree from where the account stands, opened level by level, or what a word finds in it. Arrow keys walk it: right
 * opens, left closes, Enter chooses.
 */
export function ConfigTree(props: Shared): ReactNode {
  const [typed, setTyped] = useState("");
  const keyword = useSettled(typed.trim(), 300);
  return (
    <div className="tree-pane">
      <input
        className="input"
        type="search"
        aria-label="查找节点"
        placeholder="名称、编号或设备号"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Branch key={keyword} input={keyword === "" ? {} : { keyword }} level={1} found={keyword !== ""} {...props} />
    </div>
  );
}

/** Where a node lies, in words. @example placeOf(device) // "禾木智慧商业 / 蜀味川菜 / 春熙路店" */
export const placeOf = (node: TreeRow): string =>
  [node.item_type < 3 && node.service_provider_name, node.item_type < 2 && node.merchant_name, node.item_type < 1 && node.store_name]
    .filter(Boolean)
    .join(" / ");

/** What a branch asks for; `inside` continues another one. */
type Asked = { readonly keyword?: string; readonly item_type?: number; readonly item_id?: string; readonly cursor?: string };
function Branch({
  input,
  level,
  found = false,
  inside = false,
  ...shared
}: Shared & { input: Asked; level: number; found?: boolean; inside?: boolean }): ReactNode {
  const answer = useDetail(shared.calls.tree, input);
  const [more, setMore] = useState(false);
  if (answer.error) return <Failure error={answer.error as ApiError} retry={() => void answer.refetch()} />;
  if (!answer.data) return <Skeleton rows={3} />;
  const { items, next } = answer.data;
  if (items.length === 0) return <p className="note tree-none">{found ? "没有找到" : "没有下级"}</p>;
  const nodes = (
    <>
      {items.map((node, at) => (
        <TreeItem
          key={node.id}
          node={node}
          level={level}
          open={level === 1 && items.length === 1 && !found}
          first={level === 1 && at === 0}
          found={found}
          {...shared}
        />
      ))}
      {next !== null &&
        (more ? (
          <Branch input={{ ...input, cursor: next }} level={level} inside {...shared} />
        ) : (
          <Button small tone="link" onClick={() => setMore(true)}>
            继续加载
          </Button>
        ))}
    </>
  );
  if (level > 1 || inside) return nodes;
  return (
    <div role="tree" aria-label="层级" aria-multiselectable={shared.ticked !== undefined} onKeyDown={walk}>
      {nodes}
    </div>
  );
}

function TreeItem({
  node,
  level,
  open: opened,
  first,
  found,
  ...shared
}: Shared & { node: TreeRow; level: number; open: boolean; first: boolean; found: boolean }): ReactNode {
  const [turned, setOpen] = useState<boolean>();
  const { chosen, above, onChoose, ticked, onTick } = shared;
  const open = turned ?? (opened || above?.has(node.item_id) === true);
  const kind = levelWords(itemType.label(node.item_type as 0));
  const isOn = ticked ? ticked.has(node.id) : chosen === node.id;
  const act = (): void => (ticked ? onTick(node) : onChoose(node));
  return (
    <div
      role="treeitem"
      tabIndex={isOn || first ? 0 : -1}
      aria-level={level}
      aria-selected={isOn}
      aria-expanded={node.leaf ? undefined : open}
      data-key={node.id}
      className="tree-item"
      onKeyDown={(event) => {
        if (event.target !== event.currentTarget) return;
        if (event.key === "Enter" || event.key === " ") act();
        else if (event.key === "ArrowRight" && !node.leaf && !open) setOpen(true);
        else if (event.key === "ArrowLeft" && open) setOpen(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div className="tree-line" style={{ paddingInlineStart: (level - 1) * 16 + 4 }}>
        <button type="button" className="tree-turn" tabIndex={-1} aria-hidden="true" disabled={node.leaf} onClick={() => setOpen(!open)}>
          {node.leaf ? "" : open ? "▾" : "▸"}
        </button>
        <button type="button" className="tree-name" tabIndex={-1} aria-pressed={ticked ? isOn : undefined} onClick={act}>
          {ticked && <span className={isOn ? "tree-tick tree-ticked" : "tree-tick"} aria-hidden="true" />}
          {kind !== node.item_name && <span className="tree-kind">{kind}</span>}
          <span className="tree-word">
            {node.item_name}
            {found && <span className="note"> {placeOf(node)}</span>}
          </span>
          {node.own_keys > 0 && !shared.plain && (
            <span className="tree-own num" title={`${node.own_keys} 项在这里设置`}>
              {node.own_keys}
            </span>
          )}
        </button>
      </div>
      {open && !node.leaf && (
        <div role="group">
          <Branch input={{ item_type: node.item_type, item_id: node.item_id }} level={level + 1} {...shared} />
        </div>
      )}
    </div>
  );
}

/** Up and down go through what is seen, in the order seen. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.findIndex((item) => item === document.activeElement);
  if (step === undefined || at === -1) return;
  event.preventDefault();
  items[at + step]?.focus();
}
