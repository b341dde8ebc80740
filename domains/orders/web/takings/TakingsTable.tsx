import type { ReactNode } from "react";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { payWallet, payWay, walletOf, wayOf } from "../../../channels/contract.ts";
import { ReceiptFigures } from "./handover/ReceiptFigures.tsx";
import { perCashier, type Sums, type Takings } from "./shift-sums.ts";
import "../orders.css";

type Line = Sums & { readonly id: string; readonly cashier: ReactNode; readonly tool: ReactNode; readonly method: ReactNode };

/** The lines of the table: each cashier's methods, its own sum where it has several, and the shift's total. */
function linesOf(rows: readonly Takings[], total: Sums): Line[] {
  const groups = perCashier(rows);
  const lines = groups.flatMap((group): Line[] => {
    const own = group.rows.map((row, index): Line => ({
      ...row,
      id: `${row.cashierId}:${row.tool}:${row.payMethod}`,
      cashier: index === 0 ? row.cashierName : "",
      tool: payWallet.label(walletOf(row.tool)),
      method: payWay.label(wayOf(row.tool, row.payMethod)),
    }));
    return groups.length > 1 && own.length > 1
      ? [...own, { ...group.total, id: `${group.cashierId}:sum`, cashier: "", tool: <strong>小计</strong>, method: "" }]
      : own;
  });
  return [...lines, { ...total, id: "total", cashier: <strong>合计</strong>, tool: "", method: "" }];
}

/** What was taken since the last handover, by cashier and method. */
export function TakingsTable({ rows, total }: { rows: readonly Takings[]; total: Sums }): ReactNode {
  const narrow = useNarrow();
  const c = columns<Line>();
  if (narrow) return <ReceiptFigures rows={rows} total={total} />;
  const words = (value: ReactNode): ReactNode => (value === "" ? <span aria-hidden="true" /> : value);
  return (
    <div className="takings">
      <DataTable
        label="按收银员和收款方式"
        rows={linesOf(rows, total)}
        columns={[
          c.text("cashier", "收银员", (row) => words(row.cashier), { width: 88 }),
          c.text("tool", "钱包", (row) => words(row.tool), { width: 84 }),
          c.text("method", "收款方式", (row) => words(row.method), { width: 88 }),
          c.number("payCount", "收款笔数", { width: 84 }),
          c.money("paidCents", "实收（元）", { width: 112 }),
          c.number("refundCount", "退款笔数", { width: 84 }),
          c.money("refundCents", "退款（元）", { width: 104 }),
          c.money("netCents", "净收款（元）", { width: 116 }),
          c.money("discountCents", "优惠（元）", { width: 100 }),
          c.money("storedCents", "储值支付（元）", { width: 124 }),
          c.money("feeCents", "手续费（元）", { width: 104 }),
          ...(total.rechargeCents === 0 ? [] : [c.money("rechargeCents", "其中充值实收（元）", { width: 140 })]),
          ...(total.cardCents === 0 ? [] : [c.money("cardCents", "其中售卡实收（元）", { width: 140 })]),
        ]}
      />
    </div>
  );
}
