import { type ReactNode, useState } from "react";
import type { FilterGroup } from "@zhangfang/web/list/use-list.ts";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import { entered } from "@zhangfang/web/window/entered.ts";
import { isSeen } from "@zhangfang/web/window/is-seen.ts";

/** A filter on a count from one to another; it counts on Enter and on leaving a field. */
export function NumberRange({ of, label }: { of: FilterGroup; label: string }): ReactNode {
  const [least = "", most = ""] = Object.keys(of.values);
  const [min, max] = [of.values[least], of.values[most]];
  const [typed, setTyped] = useState([min ?? "", max ?? ""] as const);
  // Not in an effect, which begins anew when a page is seen again (Keyword.tsx).
  const [seen, setSeen] = useState([min, max] as const);
  if (seen[0] !== min || seen[1] !== max) {
    setSeen([min, max]);
    setTyped([min ?? "", max ?? ""]);
  }
  const apply = (): void => {
    const [low, high] = typed.map((text) => (/^\d{1,9}$/.test(text.trim()) ? String(Number(text)) : undefined));
    if (low !== min || high !== max) of.set({ [least]: low, [most]: high });
  };
  const field = (at: 0 | 1, name: string): ReactNode => (
    <input
      className="input num"
      inputMode="numeric"
      autoComplete="off"
      aria-label={`${label}${name}`}
      placeholder={name}
      value={typed[at]}
      onChange={(event) => setTyped(at === 0 ? [event.target.value, typed[1]] : [typed[0], event.target.value])}
      onBlur={(event) => isSeen(event.currentTarget) && apply()}
      onKeyDown={(event) => entered(event) && apply()}
    />
  );
  const shown = min === undefined && max === undefined ? undefined : `${min ?? "0"} 至 ${max ?? "不限"}`;
  return (
    <FilterPart label={label} names={of.values} shown={shown} clear={() => of.set({ [least]: undefined, [most]: undefined })}>
      <span className="filter-amounts" role="group" aria-label={label}>
        {field(0, "最少")}
        <span aria-hidden="true">–</span>
        {field(1, "最多")}
      </span>
    </FilterPart>
  );
}
