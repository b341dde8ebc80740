import { Link } from "react-router";
import type { CodeOf } from "@zhangfang/contract/labelled.ts";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { type Column, columns } from "@zhangfang/web/list/columns.tsx";
import { Money } from "@zhangfang/web/show/Money.tsx";
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
      if (name === "sharedCents" || name === "profitCents") return column;
      return {
        ...column,
        render: (row) => {
          const { refund, bill, pay } = row.drill;
          const address = row[name] ? to(name === "refundCents" ? refund : name === "settledCents" ? bill : pay) : undefined;
          const shown = <Money cents={row[name]} />;
          return address === undefined ? (
            shown
          ) : (
            <Link className="figure-link" to={address}>
              {shown}
            </Link>
          );
        },
      };
    }),
  ];
}

/** The totals of the whole filter as the row under the rows. */
export function footOf({ span: _span, ...sums }: OutputOf<typeof summariseMerchantsProfit>, by: By): Row {
  const word = { day: by === "merchant" ? null : "合计", merchantName: by === "merchant" ? "合计" : null };
  return { ...sums, ...word, id: "", merchantId: null };
}
