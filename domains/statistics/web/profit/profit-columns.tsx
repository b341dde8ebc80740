import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Cents } from "@zhangfang/contract/fields.ts";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import {
  type Drill,
  type listMerchantsProfit,
  metric,
  metricDefinition,
  type profitBy,
  type summariseMerchantsProfit,
} from "../../contract/index.ts";

type Row = RowOf<typeof listMerchantsProfit>;
type By = CodeOf<typeof profitBy>;
const SORTED: readonly string[] = ["grossCents", "refundCents", "feeKeptCents", "sharedCents", "profitCents", "settledCents"];
const SHOWN = [
  "grossCents",
  "discountCents",
  "storedCents",
  "paidCents",
  "refundCents",
  "feeKeptCents",
  "sharedCents",
  "profitCents",
  "settledCents",
] as const;

/** From what was asked to what is left, and what the channel's bill says of it. */
export function profitColumns({ by, to }: { by: By; to: (drill: Drill) => string | undefined }): Column<Row>[] {
  const c = columns<Row>();
  return [
    ...(by === "merchant" ? [] : [c.text("day", "日期", { width: 120 })]),
    ...(by === "day" ? [] : [c.text("merchantName", "商户", { width: 150 })]),
    ...SHOWN.map((name): Column<Row> => {
      const sort = name === "profitCents" ? "profitCents" : `-${name}`;
      const column = c.money(name, metric.label(name), {
        width: 122,
        hint: metricDefinition[name],
        ...(SORTED.includes(name) && { sort }),
      });
      if (name === "profitCents") return column;
      return {
        ...column,
        render: (row) => {
          const { refund, fee, bill, pay, shared, returned } = row.drill;
          const own = { refundCents: refund, feeKeptCents: fee, settledCents: bill, sharedCents: shared };
          const rows = name in own ? own[name as keyof typeof own] : pay;
          // What was shared out and came back again is nothing, and still has its rows.
          const there = name === "sharedCents" ? row.sharedCents !== 0 || row.shareReturnedCents !== 0 : Boolean(row[name]);
          const back = name === "sharedCents" && row.shareReturnedCents !== 0;
          return (
            <>
              <Rows of={row[name]} to={there ? to(rows) : undefined} />
              {back && (
                <small className="note">
                  已减回退 <Rows of={row.shareReturnedCents} to={to(returned)} />
                </small>
              )}
            </>
          );
        },
      };
    }),
  ];
}

const Rows = ({ of, to }: { of: Cents | null; to: string | undefined }): ReactNode => {
  const shown = <Money cents={of} />;
  return to === undefined ? (
    shown
  ) : (
    <Link className="figure-link" to={to}>
      {shown}
    </Link>
  );
};

/** The totals of the whole filter as the row under the rows. */
export function footOf({ span: _span, ...sums }: OutputOf<typeof summariseMerchantsProfit>, by: By): Row {
  const word = { day: by === "merchant" ? null : "合计", merchantName: by === "merchant" ? "合计" : null };
  return { ...sums, ...word, id: "", merchantId: null };
}
