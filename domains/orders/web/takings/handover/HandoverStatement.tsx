import type { ReactNode } from "react";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { payWallet, payWay, walletOf, wayOf } from "../../../../channels/contract.ts";
import type { Sheet } from "./sheet.ts";
import { SheetFoot, SheetHead } from "./SheetEnds.tsx";
import { perCashier, type Sums } from "../shift-sums.ts";

/** The handover sheet on A4: a table that a bookkeeper files. */
export function HandoverStatement({ sheet }: { sheet: Sheet }): ReactNode {
  const groups = perCashier(sheet.rows);
  return (
    <article className="handover-sheet">
      <SheetHead sheet={sheet} />
      <table>
        <thead>
          <tr>
            {["收银员", "钱包", "收款方式"].map((title) => (
              <th key={title}>{title}</th>
            ))}
            {["笔数", "实收（元）", "退款笔数", "退款（元）", "净收款（元）", "手续费（元）"].map((title) => (
              <th key={title} className="at-right">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.flatMap((group) => [
            ...group.rows.map((row, index) => (
              <tr key={`${row.cashierId}${row.tool}${row.payMethod}`}>
                <td>{index === 0 && group.cashierName}</td>
                <td>{payWallet.label(walletOf(row.tool))}</td>
                <td>{payWay.label(wayOf(row.tool, row.payMethod))}</td>
                <Figures of={row} />
              </tr>
            )),
            groups.length > 1 && (
              <tr key={`${group.cashierId}sum`} className="sum">
                <td />
                <td colSpan={2}>小计</td>
                <Figures of={group.total} />
              </tr>
            ),
          ])}
        </tbody>
        <tfoot>
          <tr className="sum">
            <td colSpan={3}>合计</td>
            <Figures of={sheet.total} />
          </tr>
        </tfoot>
      </table>
      <SheetFoot sheet={sheet} />
    </article>
  );
}

function Figures({ of }: { of: Sums }): ReactNode {
  return (
    <>
      <td className="at-right num">{of.payCount}</td>
      <td className="at-right">
        <Money cents={of.paidCents} />
      </td>
      <td className="at-right num">{of.refundCount}</td>
      <td className="at-right">
        <Money cents={of.refundCents} />
      </td>
      <td className="at-right">
        <Money cents={of.netCents} />
      </td>
      <td className="at-right">
        <Money cents={of.feeCents} />
      </td>
    </>
  );
}
