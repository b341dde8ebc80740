import type { ReactNode } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { type LedgerAccount, ledgerAccount, ledgerCause } from "../../../money/contract.ts";
import type { PayOrderDetails } from "./pay-order-details.ts";

type Entry = PayOrderDetails["ledger"][number];

/** What an entry moves on one account; undefined where it does not touch it. */
export function movedOn(entry: Pick<Entry, "lines">, account?: LedgerAccount): Cents | undefined {
  const lines = entry.lines.filter((line) => account === undefined || line.account === account);
  return lines.length === 0 ? undefined : (lines.reduce((sum, line) => sum + line.amountCents, 0) as Cents);
}

// The accounts of shares only where something was shared.
const accountsOf = (entries: readonly Entry[]) =>
  ledgerAccount.options.filter(
    ({ value }) => (value !== "sharing" && value !== "returning") || entries.some((entry) => movedOn(entry, value) !== undefined),
  );

/** The entries that the order's money made, one row each, one column for each account; every row sums to zero. */
export function LedgerTable({ entries }: { entries: readonly Entry[] }): ReactNode {
  const c = columns<Entry>();
  return (
    <Group title="账务分录（元）">
      <DataTable
        label="账务分录"
        density="compact"
        rows={entries}
        columns={[
          c.time("occurredAt", "时间", { width: 168 }),
          c.code("cause", "事项", ledgerCause, { width: 96 }),
          ...accountsOf(entries).map(({ value, label }) => c.money(value, label, (entry: Entry) => movedOn(entry, value), { width: 116 })),
          c.money("sum", "合计", (entry) => movedOn(entry), { width: 80 }),
        ]}
      />
    </Group>
  );
}
