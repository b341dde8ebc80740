import type { ReactNode } from "react";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Icon } from "@zhangfang/web/show/icons.tsx";

const WEEK = ["一", "二", "三", "四", "五", "六", "日"];
function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const at = new Date(Date.UTC(year, number - 1 + by, 1));
  return at.toISOString().slice(0, 7);
}
type Days = <D extends { readonly day: string }>(days: readonly D[], cell: (day: D) => ReactNode) => ReactNode;

/** A month with the way to the one before and after; its days are laid out by the function that it gives. */
export function MonthFrame({
  label,
  month,
  of,
  onMonth,
  children,
}: {
  label: string;
  month: string;
  /** Whose month it is, beside its name. */
  of?: string;
  onMonth: (month: string) => void;
  children: (daysOf: Days) => ReactNode;
}): ReactNode {
  return (
    <section className="sheet month" aria-label={label}>
      <header className="month-head">
        <h2>
          {month.replace("-", " 年 ").replace(/ 0?(\d+)$/, " $1 月")} {of && <span className="note">{of}</span>}
        </h2>
        <span className="neighbours">
          <button type="button" className="icon-button" aria-label="上个月" onClick={() => onMonth(moved(month, -1))}>
            <Icon name="left" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="下个月"
            disabled={month >= today().slice(0, 7)}
            onClick={() => onMonth(moved(month, 1))}
          >
            <Icon name="right" />
          </button>
        </span>
      </header>
      {children(daysOf)}
    </section>
  );
}
function daysOf<D extends { readonly day: string }>(days: readonly D[], cell: (day: D) => ReactNode): ReactNode {
  const before = days[0] ? (new Date(`${days[0].day}T00:00:00Z`).getUTCDay() + 6) % 7 : 0;
  return (
    <>
      <div className="month-grid month-week" aria-hidden="true">
        {WEEK.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className="month-grid">
        {days.map((day, index) => (
          <li key={day.day} style={index === 0 ? { gridColumnStart: before + 1 } : undefined}>
            {cell(day)}
          </li>
        ))}
      </ol>
    </>
  );
}
