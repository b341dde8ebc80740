import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { daysAgo } from "@zhangfang/web/filter/day-shortcuts.ts";
import { ListScreen } from "@zhangfang/web/list/ListScreen.tsx";
import { useList, useSummary } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { useUser } from "@zhangfang/web/api/user.ts";
import { type Dimension, dimension, dimensionsOf, listPayStatistics, summarisePayStatistics } from "../../contract/index.ts";
import "../statistics.css";
import { useDrill } from "../use-drill.ts";
import { FigureDrawer } from "./FigureDrawer.tsx";
import { HeatMap } from "./HeatMap.tsx";
import { ReportChart } from "./ReportChart.tsx";
import { againstWords, ReportFigures } from "./ReportFigures.tsx";
import { MoreReportFilters, ReportFilters } from "./ReportFilters.tsx";
import { DimensionHint, footOf, takingsColumns, UNIT } from "./takings-columns.tsx";

/** The sides from which sales are looked at. */
const side = labelled({ hour: "按时段", weekday: "按星期", store: "按门店", product: "按商品", trade: "按交易类型", cashier: "按员工" });

/** 销售情况: when, where and by whom is sold, one span beside another. The days are the 30 whole ones up to yesterday. */
export function SalesSituation(): ReactNode {
  const list = useList(listPayStatistics, {
    defaults: { from: daysAgo(30), to: daysAgo(1), by: "hour", against: "previous" },
    byPage: true,
  });
  const by = side.values.find((one) => one === list.filters["by"]) ?? "hour";
  // A further dimension belongs to the reports: here a row is one hour, store or person.
  const splitBy = dimension.values.find((one) => one === list.filters["splitBy"] && one !== (by as Dimension));
  const { level } = useUser();
  const own = dimensionsOf(level ?? "");
  const offered = labelled(
    Object.fromEntries(side.values.filter((one) => own.includes(one)).map((one) => [one, side.label(one)])) as Record<typeof by, string>,
  );
  const answer = useSummary(summarisePayStatistics, list.filters);
  const sums = answer.data;
  const to = useDrill();
  const mayExport = useAct(["/dataCentre/sales/export"]);
  const against = sums?.before ? againstWords(list.filters["against"]) : undefined;
  return (
    <ListScreen
      title="销售情况"
      unit="行"
      list={list}
      filters={<ReportFilters list={list} whole />}
      moreFilters={<MoreReportFilters list={list} />}
      figures={
        <div className="statistics-body report">
          <ReportFigures answer={answer} chosen={list.filters["against"]} />
          <div className="report-by">
            <Segments label="分析角度" set={offered} value={by} onChange={(next) => list.setFilters({ by: next, splitBy: undefined })} />
            <DimensionHint of={by} />
          </div>
          {by === "hour" && <HeatMap list={list} />}
          <ReportChart list={list} by={by} total={sums?.current.paidCents} />
        </div>
      }
      {...(mayExport && { exportSource: "sales" })}
      columns={takingsColumns({ by, splitBy, against, open: list.open, to })}
      totals={UNIT}
      foot={sums && footOf(sums)}
      empty={{ text: "这段时间没有销售", action: <Button onClick={() => list.setFilters({ from: daysAgo(90) })}>看近 90 天</Button> }}
    >
      <FigureDrawer list={list} />
    </ListScreen>
  );
}
