import { type ReactNode, useState } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import type { Panel } from "@zhangfang/web/list/address/use-panel.ts";
import { MOST_AT_ONCE, MOST_REPAIRS } from "../../contract/index.ts";
import { type Difference, mayAsk, mayBeUnknown } from "./difference.ts";
import { repair } from "./repair.ts";

export interface Panels {
  readonly writeOff: Panel;
  readonly decide: Panel;
  readonly unknown: Panel;
}

/** What can be done with all that is ticked; which of them each act takes, it says itself. */
export function BatchActs({
  selection,
  seen,
  panels,
  onDone,
}: {
  selection: Selection;
  seen: ReadonlyMap<string, Difference>;
  panels: Panels;
  onDone: () => void;
}): ReactNode {
  const [busy, setBusy] = useState(false);
  // What is ticked may stand on a page before; of all that the filter finds only the sheet takes care.
  if (selection.all) return <span className="note">一次最多处理 {MOST_AT_ONCE} 条勾选的差异；全部处理请导出后填写，再导入处理结果</span>;
  const ticked = selection.ids.flatMap((id) => seen.get(id) ?? []);
  const open = ticked.filter(({ status }) => status === "open").slice(0, MOST_AT_ONCE);
  const unknown = open.filter(mayBeUnknown);
  const proposed = ticked.filter(({ decidable }) => decidable).slice(0, MOST_AT_ONCE);
  const known = open.filter(mayAsk).slice(0, MOST_REPAIRS);
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
          查询并更正 {known.length} 条
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
