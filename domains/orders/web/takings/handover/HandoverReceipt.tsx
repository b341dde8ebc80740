import type { ReactNode } from "react";
import { ReceiptFigures } from "./ReceiptFigures.tsx";
import type { Sheet } from "./sheet.ts";
import { SheetFoot, SheetHead } from "./SheetEnds.tsx";

/** The handover sheet on a roll of 58 or 80 mm. */
export function HandoverReceipt({ sheet }: { sheet: Sheet }): ReactNode {
  return (
    <article className="handover-sheet handover-receipt">
      <SheetHead sheet={sheet} />
      <ReceiptFigures rows={sheet.rows} total={sheet.total} />
      <SheetFoot sheet={sheet} />
    </article>
  );
}
