import { type ReactNode, useState } from "react";
import type { FilterGroup } from "../list/use-list.ts";
import { error } from "../notify.ts";
import { Icon } from "../show/icons.tsx";
import { type Days, shortcutsNow } from "./day-shortcuts.ts";
import { FilterPart } from "./filter-mode.tsx";

const load = () => import("./RangeCalendar.tsx");
type Calendar = Awaited<ReturnType<typeof load>>["RangeCalendar"];

/**
 * A filter on a range of Shanghai days, with 今天 昨天 近7天 近30天 本周 上周 本月 上月 one press away.
 * The first name of the group is the first day, the second the last; both are included.
 * @example <DateRange of={list.range("from", "to")} label="支付时间" />
 */
export function DateRange({
  of,
  label,
  whole = false,
  live = false,
}: {
  of: FilterGroup;
  label: string;
  /** Figures of whole days, which today is not yet: 近7天 and 近30天 end with yesterday. */
  whole?: boolean;
  /** Figures that count today as it happens: 近7天 and 近30天 end with today, and the filter says so. */
  live?: boolean;
}): ReactNode {
  const [from = "", to = ""] = Object.keys(of.values);
  const first = of.values[from];
  const last = of.values[to];
  const set = (days: Days | undefined): void => of.set({ [from]: days?.[0], [to]: days?.[1] });
  const days: Days | undefined = first && last ? [first, last] : undefined;
  const shortcuts = shortcutsNow(whole);
  const now = shortcuts.find((shortcut) => shortcut.days[0] === first && shortcut.days[1] === last)?.label;
  const [busy, setBusy] = useState(false);
  const [Calendar, setCalendar] = useState<Calendar>();
  const open = (): void => {
    setBusy(true);
    load()
      .then(
        (loaded) => setCalendar(() => loaded.RangeCalendar),
        () => error("日历没有加载成功，请检查网络后重试"),
      )
      .finally(() => setBusy(false));
  };
  const text = days?.join(" 至 ") ?? "选择日期";
  return (
    <FilterPart
      label={label}
      wide
      names={of.values}
      shown={first ? (now ?? (first === last ? first : `${first} 至 ${last}`)) : undefined}
      clear={() => set(undefined)}
    >
      {Calendar ? (
        <Calendar label={label} days={days} set={set} more={shortcuts.slice(4)} />
      ) : (
        <button
          type="button"
          className="filter-range range-button"
          aria-label={`${label} ${text}`}
          aria-busy={busy}
          onClick={open}
          onPointerEnter={() => void load().catch(() => {})}
        >
          <span className="num">{text}</span>
          <Icon name="calendar" />
        </button>
      )}
      <span className="shortcuts" role="group" aria-label={`${label}快捷选择`}>
        {shortcuts.map((shortcut) => (
          <button key={shortcut.label} type="button" aria-pressed={shortcut.label === now} onClick={() => set(shortcut.days)}>
            {shortcut.label}
          </button>
        ))}
        {(whole || live) && <span className="note">近 7、30 天{whole ? "截至昨天" : "含今天"}</span>}
      </span>
    </FilterPart>
  );
}
