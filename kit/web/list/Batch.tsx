import { type ReactNode, useState } from "react";
import { Button } from "../show/Button.tsx";
import type { Ticks } from "./table/DataTable.tsx";
import type { List } from "./use-list.ts";

/** What somebody ticked. With `all`, every row of the filter is meant: send the filters, and let the server count again. */
export interface Selection {
  readonly ids: readonly string[];
  readonly all: boolean;
  readonly count: number;
  readonly filters: Readonly<Record<string, string>>;
  /** The keys of the columns that are seen, for a file of what is ticked. */
  readonly columns: readonly string[];
  clear(): void;
}
interface ListTicks extends Ticks {
  readonly all: boolean;
  setAll(): void;
  /** As they are to be shown: where the whole filter is meant all of these are ticked, and one that is taken out leaves the others. */
  among(keys: readonly string[]): Ticks;
  clear(): void;
}

/** Ticks over the pages of one filter; another filter begins with none. */
export function useTicks(filter: string): ListTicks {
  const [state, setState] = useState<{ filter: string; keys: ReadonlySet<string>; all: boolean }>({ filter, keys: new Set(), all: false });
  const now = state.filter === filter ? state : { filter, keys: new Set<string>(), all: false };
  const toggled = (from: Iterable<string>) => (keys: readonly string[], on: boolean) => {
    const next = new Set(from);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    setState({ filter, keys: next, all: false });
  };
  return {
    keys: now.keys,
    all: now.all,
    toggle: toggled(now.keys),
    among: (keys) => (now.all ? { keys: new Set(keys), toggle: toggled(keys) } : { keys: now.keys, toggle: toggled(now.keys) }),
    setAll: () => setState({ ...now, all: true }),
    clear: () => setState({ filter, keys: new Set(), all: false }),
  };
}

/** Stands where the totals stood while rows are ticked. */
export function Batch({
  ticks,
  list,
  unit,
  columns,
  children,
}: {
  ticks: ListTicks;
  columns: readonly string[];
  list: Pick<List, "filters" | "total">;
  unit: string;
  children: ((selection: Selection) => ReactNode) | undefined;
}): ReactNode {
  const total = list.total?.count ?? ticks.keys.size;
  const count = ticks.all ? total : ticks.keys.size;
  return (
    <div className="list-bar batch" role="region" aria-label="批量操作">
      <p className="totals">
        <strong>
          {ticks.all ? "已选全部" : "已选"} {count.toLocaleString("en-US")} {unit}
        </strong>
        {!ticks.all && total > ticks.keys.size && (
          <button type="button" className="link" onClick={ticks.setAll}>
            选择全部 {list.total?.more ? `多于 ${total.toLocaleString("en-US")}` : total.toLocaleString("en-US")} {unit}筛选结果
          </button>
        )}
      </p>
      <div className="list-tools">
        {children?.({ ids: [...ticks.keys], all: ticks.all, count, filters: list.filters, columns, clear: ticks.clear })}
        <Button small onClick={ticks.clear}>
          取消选择
        </Button>
      </div>
    </div>
  );
}
