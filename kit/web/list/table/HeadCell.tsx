import { type PointerEvent, type ReactNode, useRef } from "react";
import { Hint } from "../../show/over/Hint.tsx";
import { Icon } from "../../show/icons.tsx";

interface Head {
  readonly key: string;
  readonly title: string;
  readonly sort?: string;
  readonly hint?: string;
}
/** What a press on a head sorts by next: descending, ascending, then the list's own order. */
export function nextSort(offered: string, current: string | undefined): string | undefined {
  const name = offered.replace(/^-/, "");
  if (current === `-${name}`) return offered.startsWith("-") ? undefined : name;
  return current === name ? undefined : `-${name}`;
}

/** The head of a column: it sorts where the list has an index, and its right edge can be dragged; the width counts on release. */
export function HeadCell({
  column,
  className,
  left,
  sort,
  onSort,
  onWidth,
}: {
  column: Head;
  className: string;
  left: { left: number } | undefined;
  sort: string | undefined;
  onSort: ((sort: string | undefined) => void) | undefined;
  onWidth: ((key: string, width: number | undefined) => void) | undefined;
}): ReactNode {
  const cell = useRef<HTMLTableCellElement>(null);
  const name = column.sort?.replace(/^-/, "");
  const direction =
    name !== undefined && sort === name ? "ascending" : name !== undefined && sort === `-${name}` ? "descending" : undefined;
  const drag = (start: PointerEvent<HTMLSpanElement>): void => {
    const handle = start.currentTarget;
    const from = cell.current?.offsetWidth ?? 0;
    const x = start.clientX;
    let moved = 0;
    handle.setPointerCapture(start.pointerId);
    handle.onpointermove = (event) => {
      moved = Math.max(56 - from, event.clientX - x);
      handle.style.transform = `translateX(${moved}px)`;
    };
    handle.onpointerup = () => {
      handle.onpointermove = handle.onpointerup = null;
      handle.style.transform = "";
      if (moved !== 0) onWidth?.(column.key, from + moved);
    };
  };
  return (
    <th ref={cell} scope="col" className={className} style={left} aria-sort={direction}>
      {column.sort !== undefined && onSort ? (
        <button
          type="button"
          className={`sorter${direction ? ` sorted-${direction}` : ""}`}
          onClick={() => onSort(nextSort(column.sort ?? "", sort))}
        >
          {column.title}
          <Icon name={direction === "ascending" ? "up" : "down"} size={12} />
        </button>
      ) : (
        column.title
      )}
      {column.hint !== undefined && <Hint of={column.title} text={column.hint} />}
      {onWidth && (
        <span
          className="resizer"
          aria-hidden="true"
          onPointerDown={drag}
          onDoubleClick={() => onWidth(column.key, fitWidth(cell.current))}
        />
      )}
    </th>
  );
}

/** The width that shows the whole of a column's widest cell. */
function fitWidth(head: HTMLTableCellElement | null): number | undefined {
  const rows = head?.closest("table")?.rows;
  if (!head || !rows) return undefined;
  let widest = 0;
  for (const row of rows) widest = Math.max(widest, row.cells[head.cellIndex]?.scrollWidth ?? 0);
  return Math.min(widest + 8, 640);
}
