import type { ReactNode } from "react";
import { Button } from "../show/Button.tsx";
import { Icon } from "../show/icons.tsx";
import { Popover } from "../show/Popover.tsx";
import { type ColumnSettings, isShown, moved, ordered, widthOf } from "./column-settings.ts";
import type { Column } from "./columns.tsx";
import type { Density } from "./DataTable.tsx";

const DENSITIES: readonly (readonly [Density, string])[] = [
  ["roomy", "宽松"],
  ["standard", "标准"],
  ["compact", "紧凑"],
];

/** Which columns are seen, in what order, how wide, which stay at the left edge, and how dense the rows are. All by keyboard too. */
export function ColumnPicker<Row>({
  columns,
  settings,
  onChange,
  density,
  onDensity,
}: {
  columns: readonly Column<Row>[];
  settings: ColumnSettings;
  onChange: (settings: ColumnSettings | undefined) => void;
  density: Density;
  onDensity: (density: Density) => void;
}): ReactNode {
  const movable = ordered(columns, settings).filter((column) => column.kind !== "actions");
  const pinned = settings.pinned ?? [];
  return (
    <Popover
      small
      className="column-picker"
      label={
        <>
          <Icon name="columns" size={14} />
          列设置
        </>
      }
    >
      {() => (
        <>
          <div className="densities" role="group" aria-label="行高">
            {DENSITIES.map(([value, label]) => (
              <button key={value} type="button" aria-pressed={density === value} onClick={() => onDensity(value)}>
                {label}
              </button>
            ))}
          </div>
          <ul>
            {movable.map((column, index) => (
              <li key={column.key}>
                <label>
                  <input
                    type="checkbox"
                    checked={isShown(column, settings)}
                    onChange={(event) => onChange({ ...settings, shown: { ...settings.shown, [column.key]: event.target.checked } })}
                  />
                  {column.title}
                </label>
                <input
                  type="number"
                  className="input width-input"
                  aria-label={`${column.title}的宽度，像素`}
                  min={56}
                  max={640}
                  step={8}
                  value={widthOf(column, settings)}
                  onChange={(event) =>
                    onChange({
                      ...settings,
                      widths: { ...settings.widths, [column.key]: Math.max(56, Math.min(640, Number(event.target.value) || 56)) },
                    })
                  }
                />
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`固定${column.title}在左侧`}
                  aria-pressed={pinned.includes(column.key)}
                  onClick={() =>
                    onChange({
                      ...settings,
                      pinned: pinned.includes(column.key) ? pinned.filter((key) => key !== column.key) : [...pinned, column.key],
                    })
                  }
                >
                  <Icon name="pin" size={14} />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`上移${column.title}`}
                  disabled={index === 0}
                  onClick={() => onChange(moved(columns, settings, column.key, -1))}
                >
                  <Icon name="up" size={14} />
                </button>
                <button
                  type="button"
                  className="icon-button"
                  aria-label={`下移${column.title}`}
                  disabled={index === movable.length - 1}
                  onClick={() => onChange(moved(columns, settings, column.key, 1))}
                >
                  <Icon name="down" size={14} />
                </button>
              </li>
            ))}
          </ul>
          <Button tone="link" onClick={() => onChange(undefined)}>
            恢复默认
          </Button>
        </>
      )}
    </Popover>
  );
}
