import type { ReactNode } from "react";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { payWallet, payWay, walletOf, wayOf } from "../../../../channels/contract.ts";
import { perCashier, type Sums, type Takings } from "../shift-sums.ts";
import "./handover-sheet.css";

/** The figures of a shift one to a line, so that nothing is ever cut: for rolls of 58 and 80 mm and for phones. */
export function ReceiptFigures({ rows, total }: { rows: readonly Takings[]; total: Sums }): ReactNode {
  return (
    <div className="receipt-figures">
      {perCashier(rows).map((group) => (
        <section key={group.cashierId}>
          <p className="whose">{group.cashierName}</p>
          {group.rows.map((row) => (
            <Figures
              key={`${row.tool}${row.payMethod}`}
              title={`${payWallet.label(walletOf(row.tool))} ${payWay.label(wayOf(row.tool, row.payMethod))}`}
              of={row}
            />
          ))}
        </section>
      ))}
      <section className="sum">
        <Figures title="合计" of={total} />
      </section>
    </div>
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
      <dt>净收款</dt>
      <dd>
        <Money cents={of.netCents} />
      </dd>
    </dl>
  );
}
