import { type ReactNode, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import type { Panel } from "@zhangfang/web/list/use-panel.ts";
import { MOST_REPAIRS } from "../../contract/index.ts";
import type { Difference } from "./DifferenceList.tsx";
import { repair } from "./repair.ts";

export interface Panels {
  readonly writeOff: Panel;
  readonly decide: Panel;
  readonly unknown: Panel;
}

/** What can be done with all that is ticked; which of them each act takes, it says itself. */
export function BatchActs({
  selection,
  rows,
  panels,
  onDone,
}: {
  selection: Selection;
  rows: readonly Difference[];
  panels: Panels;
  onDone: () => void;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  const ticked = rows.filter(({ id }) => selection.ids.includes(id));
  const open = ticked.filter(({ status }) => status === "open");
  const unknown = open.filter((row) => row.class === "channel-only" && row.orderId === null);
  const proposed = ticked.filter(({ decidable }) => decidable);
  const known = open.filter(({ orderId }) => orderId !== null).slice(0, MOST_REPAIRS);
  const ids = (of: readonly Difference[]): string => of.map(({ id }) => id).join(",");
  const ask = async (): Promise<void> => {
    setBusy(true);
    await repair(known.map(({ id }) => id)).finally(() => setBusy(false));
    selection.clear();
    onDone();
  };
  return (
    <>
      {known.length > 0 && (
        <Button small tone="primary" busy={busy} onClick={() => void ask()}>
          查询渠道并更正 {known.length} 条
        </Button>
      )}
      {open.length > 0 && (
        <Button small onClick={() => panels.writeOff.open(ids(open))}>
          申请核销 {open.length} 条
        </Button>
      )}
      {unknown.length > 0 && (
        <Button small onClick={() => panels.unknown.open(ids(unknown))}>
          登记未知收款 {unknown.length} 条
        </Button>
      )}
      {proposed.length > 0 && (
        <Button small tone="primary" onClick={() => panels.decide.open(ids(proposed))}>
          复核 {proposed.length} 条
        </Button>
      )}
    </>
  );
}
