import type { ReactNode } from "react";
import type { ExportRow } from "../contract.ts";
import { progressWords } from "./words/export-words.ts";

/** How far an export is: a bar and its words. The bar stands still in the queue; while the rows are counted it only says that something happens. */
export function Progress({ row }: { row: ExportRow }): ReactNode {
  const counting = row.rowsTotal === null && row.waitingBefore === 0;
  return (
    <span className="export-progress">
      <progress aria-label={`${row.name} 的进度`} max={100} {...(!counting && { value: row.percent ?? 0 })} />
      <span className="note num">{progressWords(row)}</span>
    </span>
  );
}
