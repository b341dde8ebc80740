import type { ReactNode } from "react";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import type { FilterField } from "@zhangfang/web/list/use-list.ts";

/** Which moment of a row the date range means; the first of the set unless told otherwise. */
export function WhichMoment({ of, set }: { of: FilterField; set: Labelled<string> }): ReactNode {
  const [usual] = set.values;
  const chosen = of.value ?? usual;
  return (
    <FilterPart label="日期按" names={{ [of.name]: of.value }} shown={set.label(chosen as never)} clear={() => of.set(usual)}>
      <span className="shortcuts" role="group" aria-label="日期按">
        {set.options.map(({ value, label }) => (
          <button key={value} type="button" aria-pressed={value === chosen} onClick={() => of.set(value)}>
            {label}
          </button>
        ))}
      </span>
    </FilterPart>
  );
}
