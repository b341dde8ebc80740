import type { ReactNode } from "react";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import type { FilterField } from "./use-list.ts";

/** Tabs over a status: 全部 and each code with its count. They are a filter, so they are pressed buttons and stand in the address. */
export function StatusTabs({
  of,
  set,
  counts,
  counted,
}: {
  of: FilterField;
  set: Labelled;
  counts?: Readonly<Record<string, number>> | undefined;
  /** The counts are on their way: their place is kept. */
  counted?: boolean;
}): ReactNode {
  const tab = (value: string | undefined, label: string, count: number | undefined): ReactNode => (
    <button key={value ?? ""} type="button" aria-pressed={of.value === value} onClick={() => of.set(value)}>
      {label}
      {count !== undefined && <span className="num tab-count">{count.toLocaleString("en-US")}</span>}
      {count === undefined && counted && value !== undefined && <span className="num tab-count">{"\u2007"}</span>}
    </button>
  );
  return (
    <div className="status-tabs" role="group" aria-label="按状态查看">
      {tab(undefined, "全部", undefined)}
      {set.options.map((option) => tab(String(option.value), option.label, counts?.[String(option.value)]))}
    </div>
  );
}
