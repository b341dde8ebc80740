import type { ReactNode } from "react";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useSummary } from "@zhangfang/web/list/use-list.ts";
import { Chart } from "@zhangfang/web/show/figures/Chart.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";
import { type Dimension, dimension, getPayStatisticsSeries, isTime, metric } from "../../contract/index.ts";
import { Bars, shareWords } from "../Bars.tsx";
import { Panel } from "../Panel.tsx";
import { useAddress } from "../use-address.ts";
import { useDrill } from "../use-drill.ts";
import { againstWords, PartFailed } from "./ReportFigures.tsx";
import type { Report } from "./ReportFilters.tsx";
import type { TakingsRow } from "./takings-columns.tsx";

export const drawn = labelled({
  paidCents: metric.label("paidCents"),
  payCount: metric.label("payCount"),
  refundCents: metric.label("refundCents"),
  feeCents: metric.label("feeCents"),
  netCents: metric.label("netCents"),
  rechargeCents: metric.label("rechargeCents"),
});
type Drawn = (typeof drawn)["values"][number];

/** Which figure the charts draw, in the address. */
export function useDrawn(): { readonly figure: Drawn; readonly choice: ReactNode } {
  const address = useAddress();
  const figure = drawn.values.find((one) => one === address.values["show"]) ?? "paidCents";
  const choice = (
    <Segments
      small
      label="指标"
      set={drawn}
      value={figure}
      onChange={(next) => address.set({ show: next === "paidCents" ? undefined : next })}
    />
  );
  return { figure, choice };
}

/** The numbers of the table as a picture: a line or bars along the calendar, else the page's groups by size. */
export function ReportChart({ list, by, total }: { list: Report; by: Dimension; total: number | undefined }): ReactNode {
  return isTime(by) ? <AlongTime list={list} by={by as "day"} /> : <BySize list={list} by={by} total={total} />;
}

function AlongTime({ list, by }: { list: Report; by: "day" | "week" | "month" | "hour" | "weekday" }): ReactNode {
  const { figure, choice } = useDrawn();
  const to = useDrill();
  const { by: _by, splitBy: _then, ...filters } = list.filters;
  const answer = useSummary(getPayStatisticsSeries, { ...filters, step: by });
  const points = answer.data?.points;
  if (points === undefined && answer.error) return <PartFailed what="走势" retry={() => void answer.refetch()} />;
  if (points === undefined) return <div className="sheet bone-card" role="status" aria-label="正在加载走势" />;
  const most = points.reduce((best, one) => (one.current[figure] > best.current[figure] ? one : best), points[0]!);
  const name = drawn.label(figure);
  return (
    <div className={answer.isPlaceholderData ? "sheet statistics-waiting" : "sheet"}>
      <Chart
        title={most && most.current[figure] > 0 ? `${most.name} ${name}最高` : `这段时间没有${name}`}
        kind={by === "day" ? "line" : "bar"}
        unit={figure === "payCount" ? "笔" : "元"}
        labels={points.map((point) => (by === "day" ? point.key.slice(5) : by === "hour" ? `${point.key}:00` : point.name))}
        links={points.map((point) => (figure === "netCents" || figure === "refundCents" ? undefined : to(point.drill)))}
        series={[
          {
            name: "本期",
            values: points.map((point) => point.current[figure]),
            ...(figure === "refundCents" && { colour: CHART_COLOURS[3] }),
          },
          ...(points[0]?.before
            ? [{ name: againstWords(list.filters["against"]), values: points.map((point) => point.before?.[figure] ?? 0), compare: true }]
            : []),
        ]}
        extra={choice}
      />
    </div>
  );
}

const SHOWN = 10;
function BySize({ list, by, total }: { list: Report; by: Dimension; total: number | undefined }): ReactNode {
  const to = useDrill();
  const title = `${dimension.label(by)}实收`;
  if (list.loading) {
    return (
      <Panel title={title}>
        <div className="bone-bars" role="status" aria-label={`正在加载${title}`}>
          {Array.from({ length: SHOWN }, (_bar, index) => (
            <span key={index} className="bone" />
          ))}
        </div>
      </Panel>
    );
  }
  if (list.rows.length === 0) return null;
  const rows = list.rows.toSorted((a, b) => b.paidCents - a.paidCents).slice(0, SHOWN);
  const beside = (row: TakingsRow) => (total ? shareWords(Math.round((row.paidCents * 100_000) / total)) : `${row.payCount} 笔`);
  return (
    <Panel
      title={title}
      note={list.rows.length > SHOWN ? `本页前 ${SHOWN}` : "本页"}
      className={list.refreshing ? "statistics-waiting" : ""}
    >
      <Bars
        ranked
        label={title}
        bars={rows.map((row) => ({
          key: row.id,
          name: row.splitName === null ? row.name : `${row.name} · ${row.splitName}`,
          cents: row.paidCents as Cents,
          beside: beside(row),
          to: to(row.drill.pay),
        }))}
      />
    </Panel>
  );
}
