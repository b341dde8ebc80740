import type { ReactNode } from "react";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import type { FilterField } from "@zhangfang/web/list/use-list.ts";
import { sourceGroup, type SourceGroup, sourcesOf } from "../contract/index.ts";

interface Filtered {
  readonly filters: Readonly<Record<string, string | undefined>>;
  field(name: "group" | "source"): FilterField;
  setFilters(set: Readonly<Record<string, string | undefined>>): void;
}
/** 通道, 团购 or 外卖, and of it one source. */
export function SourceFilter({ of }: { of: Filtered }): ReactNode {
  const group = of.field("group");
  return (
    <>
      <Choice of={{ ...group, set: (value) => of.setFilters({ group: value, source: undefined }) }} label="类别" set={sourceGroup} />
      <Choice of={of.field("source")} label="来源" set={sourcesOf(of.filters["group"] as SourceGroup | undefined)} />
    </>
  );
}
