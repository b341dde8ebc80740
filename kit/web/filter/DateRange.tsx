import { DatePicker } from "antd";
import dayjs from "dayjs";
import type { ReactNode } from "react";
import type { FilterGroup } from "../list/use-list.ts";
import { type Days, shortcutsNow } from "./day-shortcuts.ts";
import { FilterPart } from "./filter-mode.tsx";

/**
 * A filter on a range of Shanghai days, with 今天 昨天 近7天 近30天 本周 上周 本月 上月 one press away.
 * The first name of the group is the first day, the second the last; both are included.
 * @example <DateRange of={list.range("from", "to")} label="支付时间" />
 */
export function DateRange({ of, label }: { of: FilterGroup; label: string }): ReactNode {
  const [from = "", to = ""] = Object.keys(of.values);
  const first = of.values[from];
  const last = of.values[to];
  const set = (days: Days | undefined): void => of.set({ [from]: days?.[0], [to]: days?.[1] });
  const shortcuts = shortcutsNow();
  const now = shortcuts.find(({ days }) => days[0] === first && days[1] === last)?.label;
  return (
    <FilterPart
      label={label}
      wide
      names={of.values}
      shown={first ? (now ?? (first === last ? first : `${first} 至 ${last}`)) : undefined}
      clear={() => set(undefined)}
    >
      <DatePicker.RangePicker
        aria-label={label}
        className="filter-range"
        value={first && last ? [dayjs(first), dayjs(last)] : null}
        onChange={(picked) => set(picked?.[0] && picked[1] ? [picked[0].format("YYYY-MM-DD"), picked[1].format("YYYY-MM-DD")] : undefined)}
      />
      <span className="shortcuts" role="group" aria-label={`${label}快捷选择`}>
        {shortcuts.map((shortcut) => (
          <button key={shortcut.label} type="button" aria-pressed={shortcut.label === now} onClick={() => set(shortcut.days)}>
            {shortcut.label}
          </button>
        ))}
      </span>
    </FilterPart>
  );
}
