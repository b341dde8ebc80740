import type { ReactNode } from "react";
import { Button } from "../../show/Button.tsx";
import { Icon } from "../../show/icons.tsx";
import { Popover } from "../../show/over/Popover.tsx";
import { fitted, isShown, moved, ordered, widthOf } from "./column-settings.ts";
import type { Column } from "./columns.tsx";
import type { Density } from "./DataTable.tsx";
import type { Columns } from "./use-columns.ts";

const DENSITIES: readonly (readonly [Density, string])[] = [
  ["roomy", "宽松"],
  ["standard", "标准"],
  ["compact", "紧凑"],
];
const WIDEST = 640;
const NARROWEST = 56;

/**
 * Which columns are seen, in what order, how wide, which stay at the left edge, and how dense the rows are. All by keyboard too.
 * It says which columns gave way in a room of so many pixels.
 */
export function ColumnPicker<Row>({ columns, room }: { columns: Columns<Row>; room: number }): ReactNode {
  const { left } = fitted(columns.seen, columns.settings, room);
  const label = (
    <>
      <Icon name="columns" size={14} />
      列设置{left.length > 0 && <span className="note">收起 {left.length} 列</span>}
    </>
  );
  return (
    <Popover small className="column-picker" label={label}>
      {() => <Panel columns={columns} left={left} />}
    </Popover>
  );
}

function Panel<Row>({ columns, left }: { columns: Columns<Row>; left: readonly Column<Row>[] }): ReactNode {
  const movable = ordered(columns.all, columns.settings).filter((column) => column.kind !== "actions");
  return (
    <>
      <div className="densities" role="group" aria-label="行高">
        {DENSITIES.map(([value, name]) => (
          <button key={value} type="button" aria-pressed={columns.density === value} onClick={() => columns.setDensity(value)}>
            {name}
          </button>
        ))}
      </div>
      {left.length > 0 && <p className="note">窗口较窄，已收起：{left.map(({ title }) => title).join("、")}。导出的文件仍含这些列</p>}
      {(left.length > 0 || columns.settings.whole) && (
        <label className="column-whole">
          <input
            type="checkbox"
            checked={columns.settings.whole ?? false}
            onChange={(event) => columns.set({ ...columns.settings, whole: event.target.checked })}
          />
          不收起，左右滚动查看
        </label>
      )}
      <ul>
        {movable.map((column, index) => (
          <Line key={column.key} column={column} columns={columns} first={index === 0} last={index === movable.length - 1} />
        ))}
      </ul>
      <Button tone="link" onClick={() => columns.set(undefined)}>
        恢复默认
      </Button>
    </>
  );
}

function Line<Row>({
  column,
  columns,
  first,
  last,
}: {
  column: Column<Row>;
  columns: Columns<Row>;
  first: boolean;
  last: boolean;
}): ReactNode {
  const { all, settings, set, setWidth } = columns;
  const { key, title } = column;
  const pinned = settings.pinned ?? [];
  const isPinned = pinned.includes(key);
  const show = (on: boolean): void => set({ ...settings, shown: { ...settings.shown, [key]: on } });
  const pin = (): void => set({ ...settings, pinned: isPinned ? pinned.filter((other) => other !== key) : [...pinned, key] });
  return (
    <li>
      <label>
        <input type="checkbox" checked={isShown(column, settings)} onChange={(event) => show(event.target.checked)} />
        {title}
      </label>
      <input
        type="number"
        className="input width-input"
        aria-label={`${title}的宽度，像素`}
        min={NARROWEST}
        max={WIDEST}
        step={8}
        value={widthOf(column, settings)}
        onChange={(event) => setWidth(key, Math.max(NARROWEST, Math.min(WIDEST, Number(event.target.value) || NARROWEST)))}
      />
      <button type="button" className="icon-button" aria-label={`固定${title}在左侧`} aria-pressed={isPinned} onClick={pin}>
        <Icon name="pin" size={14} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`上移${title}`}
        disabled={first}
        onClick={() => set(moved(all, settings, key, -1))}
      >
        <Icon name="up" size={14} />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={`下移${title}`}
        disabled={last}
        onClick={() => set(moved(all, settings, key, 1))}
      >
        <Icon name="down" size={14} />
      </button>
    </li>
  );
}
