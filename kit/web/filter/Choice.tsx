import { Select } from "../select/Select.tsx";
import type { ReactNode } from "react";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import type { FilterField } from "../list/use-list.ts";
import { FilterPart } from "./filter-mode.tsx";
import { levelWords } from "../level-names.ts";

/**
 * A filter on a labelled set. With `several` the address holds `a,b,c`.
 * @example <Choice of={list.field("channel")} label="通道" set={channel} />
 */
export function Choice({
  of,
  label,
  set,
  several = false,
  none = "全部",
}: {
  of: FilterField;
  label: string;
  set: Labelled;
  several?: boolean;
  /** What it says where nothing is chosen. */
  none?: string;
}): ReactNode {
  const chosen = (of.value ?? "").split(",").filter(Boolean);
  const options = set.options.map((option) => ({ value: String(option.value), label: levelWords(option.label) }));
  const words = options.filter((option) => chosen.includes(option.value)).map((option) => option.label);
  return (
    <FilterPart label={label} names={{ [of.name]: of.value }} shown={words.join("、") || undefined} clear={() => of.set(undefined)}>
      <Select
        aria-label={levelWords(label)}
        className="filter-control"
        allowClear
        placeholder={none}
        mode={several ? "multiple" : undefined}
        maxTagCount="responsive"
        options={options}
        value={several ? chosen : chosen[0]}
        onChange={(value: string | string[] | undefined) => of.set(Array.isArray(value) ? value.join(",") : value)}
      />
    </FilterPart>
  );
}
