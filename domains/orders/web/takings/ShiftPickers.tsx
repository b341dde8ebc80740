import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { FilterPart } from "@zhangfang/web/filter/filter-mode.tsx";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import type { listHandovers } from "../../contract/index.ts";
import type { Takings } from "./shift-sums.ts";

/** The cashiers that the page knows of: those who took something since the last handover, and those who handed over before. */
function cashiersOf(takings: readonly Takings[], list: List<typeof listHandovers>): Record<string, string> {
  const known: Record<string, string> = {};
  for (const { cashierId, cashierName } of [...takings, ...list.rows])
    if (cashierId !== null && cashierName !== null) known[cashierId] = cashierName;
  return known;
}

/** Which store, and which of its cashiers; another store begins with all of them. */
export function ShiftPickers({ list, takings }: { list: List<typeof listHandovers>; takings: readonly Takings[] }): ReactNode {
  const { storeId } = list.filters;
  return (
    <div className="filters">
      <FilterPart
        label="门店"
        names={{ storeId }}
        shown={storeId}
        clear={() => list.setFilters({ storeId: undefined, cashierId: undefined })}
      >
        <OrgPicker
          level="storeId"
          value={storeId}
          className="shift-store"
          onChange={(id) => list.setFilters({ storeId: id, cashierId: undefined })}
        />
      </FilterPart>
      {storeId && <Choice of={list.field("cashierId")} label="收银员" set={labelled(cashiersOf(takings, list))} />}
    </div>
  );
}
