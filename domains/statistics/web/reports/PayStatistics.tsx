import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Choice } from "@zhangfang/web/filter/Choice.tsx";
import { daysAgo, today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { type Dimension, dimension, dimensionsOf, listPayStatistics, summarisePayStatistics } from "../../contract/index.ts";
import "../statistics.css";
import { useDrill } from "../use-drill.ts";
import { FigureDrawer } from "./FigureDrawer.tsx";
import { ReportChart } from "./ReportChart.tsx";
import { againstWords, ReportFigures } from "./ReportFigures.tsx";
import { MoreReportFilters, type Report, ReportFilters } from "./ReportFilters.tsx";
import { DimensionHint, footOf, takingsColumns, UNIT } from "./takings-columns.tsx";

/** 支付统计: what was taken, told apart by one or two things; every figure opens its rows, the totals are those of the whole filter. */
export function PayStatistics(): ReactNode {
  const list = useList(listPayStatistics, { defaults: { from: daysAgo(29), to: today(), by: "day" }, byPage: true });
  const { by, splitBy } = grouping(list);
  const answer = useSummary(summarisePayStatistics, list.filters);
  const sums = answer.data;
  const to = useDrill();
  const mayExport = useAct(["/dataCentre/payStatistics/export"]);
  const against = sums?.before ? againstWords(list.filters["against"]) : undefined;
  return (
    <ListScreen
      title="支付统计"
      unit="组"
      list={list}
      filters={<ReportFilters list={list} />}
      moreFilters={
        <>
          <SplitBy list={list} />
          <MoreReportFilters list={list} />
        </>
      }
      figures={
        <div className="statistics-body report">
          <ReportFigures answer={answer} chosen={list.filters["against"]} />
          <By list={list} by={by} />
          <ReportChart list={list} by={by} total={sums?.current.paidCents} />
        </div>
      }
      {...(mayExport && { exportSource: "pay-statistics" })}
      columns={takingsColumns({ by, splitBy, against, open: list.open, to })}
      totals={UNIT}
      foot={sums && footOf(sums)}
      empty={{ text: "这段时间没有收款", action: <Button onClick={() => list.setFilters({ from: daysAgo(89) })}>看近 90 天</Button> }}
    >
      <FigureDrawer list={list} />
    </ListScreen>
  );
}

/** What the rows are told apart by, as the address says. */
export function grouping(list: Report): { by: Dimension; splitBy: Dimension | undefined } {
  const by = dimension.values.find((one) => one === list.filters["by"]) ?? "day";
  const splitBy = dimension.values.find((one) => one === list.filters["splitBy"]);
  return { by, splitBy: splitBy === by ? undefined : splitBy };
}
function useDimensions() {
  const { level } = useUser();
  const own = dimensionsOf(level ?? "");
  return labelled(Object.fromEntries(own.map((one) => [one, dimension.label(one)])) as Record<Dimension, string>);
}
function By({ list, by }: { list: Report; by: Dimension }): ReactNode {
  return (
    <div className="report-by">
      <span className="filter-label">统计维度</span>
      <Segments label="统计维度" set={useDimensions()} value={by} onChange={(next) => list.setFilters({ by: next })} />
      <DimensionHint of={by} />
    </div>
  );
}
function SplitBy({ list }: { list: Report }): ReactNode {
  return <Choice of={list.field("splitBy")} label="再按" set={useDimensions()} />;
}
