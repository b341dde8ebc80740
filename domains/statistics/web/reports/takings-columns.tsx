import type { ReactNode } from "react";
import { Link } from "react-router";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { Hint } from "@zhangfang/web/show/over/Hint.tsx";
import { changeText } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import {
  type Dimension,
  dimension,
  dimensionDefinition,
  type Drill,
  isTime,
  type listPayStatistics,
  metric,
  metricDefinition,
  type summarisePayStatistics,
  type TakingsMetric,
  type ValueMetric,
} from "../../contract/index.ts";
import { changeOf } from "../spans.ts";
import { drillOf } from "./drill-of.ts";

export type TakingsRow = RowOf<typeof listPayStatistics>;
interface Given {
  readonly by: Dimension;
  readonly splitBy: Dimension | undefined;
  /** Words for what the rows are held against; nothing where they are not. */
  readonly against: string | undefined;
  readonly open: (id: string) => void;
  readonly to: (drill: Drill) => string | undefined;
}
const SORTS: Readonly<Partial<Record<TakingsMetric, string>>> = {
  payCount: "payCount",
  grossCents: "grossCents",
  discountCents: "discountCents",
  storedCents: "storedCents",
  paidCents: "paidCents",
  refundCents: "refundCents",
  feeCents: "feeCents",
  netCents: "netCents",
  rechargeCents: "rechargeCents",
  cardCents: "cardCents",
};

/** 金额单位 stands beside the number of rows: in each head it would take the room of a column. */
export const UNIT: readonly (readonly [string, ReactNode])[] = [["金额单位", "元"]];
/** What a dimension counts, where its name alone does not say it. */
export function DimensionHint({ of }: { of: Dimension }): ReactNode {
  const text = dimensionDefinition[of];
  return text === undefined ? null : <Hint of={dimension.label(of)} text={text} />;
}
/** What a group took. Every figure is the way to its rows: what was paid to the orders, what went back to the refunds. */
export function takingsColumns(given: Given): Column<TakingsRow>[] {
  const c = columns<TakingsRow>();
  const figure = (name: TakingsMetric | ValueMetric, hidden = false) => figureColumn(name, given, hidden);
  const name = c.link("name", dimension.label(given.by), (row) => given.open(row.id), {
    copy: false,
    width: 150,
    ...(dimensionDefinition[given.by] && { hint: dimensionDefinition[given.by] }),
    ...(isTime(given.by) && { sort: "key" }),
  });
  return [
    { ...name, render: (row) => (row.id === "" ? row.name : name.render(row)) },
    ...(given.splitBy ? [c.text("splitName", dimension.label(given.splitBy), { width: 140 })] : []),
    figure("payCount"),
    figure("paidCents"),
    ...(given.against === undefined ? [] : [changeColumn(given.against)]),
    figure("grossCents"),
    figure("discountCents"),
    figure("storedCents", true),
    figure("averageCents", true),
    figure("refundCount", true),
    figure("refundCents"),
    figure("effectiveCents", true),
    figure("feeCents"),
    figure("refundFeeCents", true),
    figure("netCents"),
    figure("rechargeCents", true),
    figure("rechargeBackCents", true),
    figure("cardCents", true),
    figure("cardBackCents", true),
    figure("turnoverCents", true),
    figure("consumedCents", true),
    figure("timesCents", true),
    figure("balanceCents", true),
  ];
}

function figureColumn(name: TakingsMetric | ValueMetric, { to, open }: Given, hidden: boolean): Column<TakingsRow> {
  const c = columns<TakingsRow>();
  const sort = SORTS[name as TakingsMetric];
  const options = { width: 124, hint: metricDefinition[name], hidden, ...(sort && { sort }) };
  const column =
    name === "payCount" || name === "refundCount"
      ? c.number(name, metric.label(name), options)
      : c.money(name, metric.label(name), (row) => row[name] as Cents | null, options);
  const shown = column.render;
  if (name === "netCents" || name === "effectiveCents" || name === "turnoverCents")
    return { ...column, render: (row) => takenApart(shown(row), row, open) };
  return { ...column, render: (row) => linked(shown(row), row[name] ? to(drillOf(name, row)) : undefined) };
}
/** What is made of payments and refunds has no rows of its own: it is taken apart line by line. */
const takenApart = (shown: ReactNode, row: TakingsRow, open: Given["open"]): ReactNode =>
  row.id === "" ? (
    shown
  ) : (
    <button type="button" className="figure-link" onClick={() => open(row.id)}>
      {shown}
    </button>
  );
const linked = (shown: ReactNode, to: string | undefined): ReactNode =>
  to === undefined ? (
    shown
  ) : (
    <Link className="figure-link" to={to}>
      {shown}
    </Link>
  );

function changeColumn(against: string): Column<TakingsRow> {
  const c = columns<TakingsRow>();
  return {
    ...c.number("beforePaidCents", `较${against}`, (row) => row.before?.paidCents, { width: 116, hint: `实收金额与${against}相比。` }),
    render: ({ before, paidCents }) =>
      before === null ? null : (
        <span className="num">
          {changeText(changeOf(paidCents, before.paidCents))}
          <small className="note">
            <Money cents={before.paidCents} />
          </small>
        </span>
      ),
  };
}

/** The totals of the whole filter as the row under the rows. */
export function footOf({
  current,
  before,
  drill,
}: Pick<OutputOf<typeof summarisePayStatistics>, "current" | "before" | "drill">): TakingsRow {
  return { ...current, before, drill, id: "", key: "", name: "合计", splitKey: null, splitName: null, filter: {} };
}
