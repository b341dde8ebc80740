import type { ReactNode } from "react";
import { Icon } from "../show/icons.tsx";
import { useKey } from "../window/use-key.ts";
import type { List } from "./use-list.ts";

/**
 * The row before and the row after the open one, for the head of a detail drawer; K and J press them.
 * @example <DetailDrawer title="订单详情" extra={<Neighbours of={list} />} … />
 */
export function Neighbours({ of: list }: { of: Pick<List, "openId" | "open"> & { readonly rows: readonly unknown[] } }): ReactNode {
  const ids = list.rows.map((row) => String((row as { id?: unknown }).id));
  const at = list.openId === undefined ? -1 : ids.indexOf(list.openId);
  const before = useKey("k");
  const after = useKey("j");
  const step = (to: number): string | undefined => (at < 0 ? undefined : ids[to]);
  const go = (id: string | undefined): void => {
    if (id !== undefined) list.open(id);
  };
  return (
    <span className="neighbours">
      <button
        ref={before}
        type="button"
        className="icon-button"
        aria-label="上一条"
        aria-keyshortcuts="K"
        title="上一条（K）"
        disabled={step(at - 1) === undefined}
        onClick={() => go(step(at - 1))}
      >
        <Icon name="left" />
      </button>
      <button
        ref={after}
        type="button"
        className="icon-button"
        aria-label="下一条"
        aria-keyshortcuts="J"
        title="下一条（J）"
        disabled={step(at + 1) === undefined}
        onClick={() => go(step(at + 1))}
      >
        <Icon name="right" />
      </button>
    </span>
  );
}
