import type { ReactNode } from "react";
import { Money } from "@zhangfang/web/show/Money.tsx";
import { payMethod, payTool } from "../../../channels/contract.ts";
import type { Sheet } from "./sheet.ts";
import { SheetFoot, SheetHead } from "./SheetEnds.tsx";
import { perCashier, type Sums } from "./shift-sums.ts";

/** The handover sheet on 80 mm paper: one figure to a line, so that nothing is ever cut. */
export function HandoverReceipt({ sheet }: { sheet: Sheet }): ReactNode {
  return (
    <article className="handover-sheet handover-receipt">
      <SheetHead sheet={sheet} />
      {perCashier(sheet.rows).map((group) => (
        <section key={group.cashierId}>
          <h3>{group.cashierName}</h3>
          {group.rows.map((row) => (
            <Figures key={`${row.tool}${row.payMethod}`} title={`${payTool.label(row.tool)} ${payMethod.label(row.payMethod)}`} of={row} />
          ))}
        </section>
      ))}
      <section className="sum">
        <Figures title="合计" of={sheet.total} />
      </section>
      <SheetFoot sheet={sheet} />
    </article>
  );
}

function Figures({ title, of }: { title: string; of: Sums }): ReactNode {
  return (
    <dl>
      <dt className="whole">{title}</dt>
      <dt>实收 {of.payCount} 笔</dt>
      <dd>
        <Money cents={of.paidCents} />
      </dd>
      {of.refundCount > 0 && (
        <>
          <dt>退款 {of.refundCount} 笔</dt>
          <dd>
            <Money cents={of.refundCents} />
          </dd>
        </>
      )}
      <dt>净额</dt>
      <dd>
        <Money cents={of.netCents} />
      </dd>
    </dl>
  );
}
