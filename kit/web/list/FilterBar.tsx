import { type ReactNode, useState } from "react";
import { FilterMode } from "../filter/filter-mode.tsx";
import { Button } from "../show/Button.tsx";
import { Icon } from "../show/icons.tsx";
import { useNarrow } from "../window/use-narrow.ts";
import type { List } from "./use-list.ts";

/** The filters of a list as fields, and below them the chips of those in force. On a phone the fields are folded. */
export function FilterBar({
  list,
  filters,
  more,
}: {
  list: Pick<List, "defaults" | "refresh" | "reset" | "refreshing">;
  filters: ReactNode;
  more: ReactNode;
}): ReactNode {
  const narrow = useNarrow();
  const [open, setOpen] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  return (
    <>
      {narrow && (
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? "up" : "down"} size={14} />
          {open ? "收起筛选" : "筛选"}
        </Button>
      )}
      {(!narrow || open) && (
        <form className="filters" role="search" onSubmit={(event) => (event.preventDefault(), list.refresh())}>
          <FilterMode value={{ mode: "field", defaults: list.defaults }}>
            {filters}
            {unfolded && more}
          </FilterMode>
          <div className="filter-acts">
            <Button tone="primary" type="submit" busy={list.refreshing}>
              查询
            </Button>
            <Button onClick={list.reset}>重置</Button>
            {more && (
              <Button tone="link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
                {unfolded ? "收起筛选" : "更多筛选"}
              </Button>
            )}
          </div>
        </form>
      )}
      <FilterMode value={{ mode: "chip", defaults: list.defaults }}>
        <div className="chips">
          {filters}
          {more}
        </div>
      </FilterMode>
    </>
  );
}
