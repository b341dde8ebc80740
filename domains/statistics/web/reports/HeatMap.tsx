import type { ReactNode } from "react";
import { Link } from "react-router";
import { yuan } from "@zhangfang/contract/money.ts";
import { useSummary } from "@zhangfang/web/list/use-list.ts";
import { dayOfWeek } from "../../../orders/contract/index.ts";
import { getPayStatisticsSeries } from "../../contract/index.ts";
import { Panel } from "../Panel.tsx";
import { useDrill } from "../use-drill.ts";
import { drawn, useDrawn } from "./ReportChart.tsx";
import { PartFailed } from "./ReportFigures.tsx";
import type { Report } from "./ReportFilters.tsx";

const HOURS = Array.from({ length: 24 }, (_none, hour) => hour);
const STEPS = 10;

/** The week as a table of its 168 hours, darker where more was taken. It is a real table: a reader hears each number, a press shows its orders. */
export function HeatMap({ list }: { list: Report }): ReactNode {
  const to = useDrill();
  const { figure, choice } = useDrawn();
  const { by: _by, splitBy: _then, against: _against, ...filters } = list.filters;
  const answer = useSummary(getPayStatisticsSeries, { ...filters, step: "heat" });
  const points = answer.data?.points;
  if (points === undefined && answer.error) return <PartFailed what="星期与时段" retry={() => void answer.refetch()} />;
  if (points === undefined) return <div className="sheet bone-card" role="status" aria-label="正在加载星期与时段" />;
  const most = Math.max(1, ...points.map((point) => point.current[figure]));
  const best = points.find((point) => point.current[figure] === most);
  const words = (value: number) => (figure === "payCount" ? `${value.toLocaleString("en-US")} 笔` : `${yuan(value)} 元`);
  return (
    <Panel
      title={
        best ? `${best.name.split(" ")[0]} ${best.key.split("/")[1]} 时${drawn.label(figure)}最高` : `这段时间没有${drawn.label(figure)}`
      }
      note="星期 × 时段"
      extra={choice}
      className={answer.isPlaceholderData ? "statistics-waiting" : ""}
    >
      <div className="heat-scroll" tabIndex={0} role="group" aria-label={`星期与时段的${drawn.label(figure)}`}>
        <table className="heat" aria-label={`星期与时段的${drawn.label(figure)}`}>
          <thead>
            <tr>
              <td />
              {HOURS.map((hour) => (
                <th key={hour} scope="col" className="num" aria-label={`${hour} 时`}>
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {dayOfWeek.values.map((weekday) => (
              <tr key={weekday}>
                <th scope="row">{dayOfWeek.label(weekday)}</th>
                {points
                  .filter((point) => point.key.startsWith(`${weekday}/`))
                  .map((point) => (
                    <Cell key={point.key} name={point.name} value={point.current[figure]} most={most} words={words} to={to(point.drill)} />
                  ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="heat-legend note" aria-hidden="true">
        少
        {Array.from({ length: STEPS }, (_none, step) => (
          <i key={step} className={`heat-${step}`} />
        ))}
        多
      </p>
    </Panel>
  );
}

function Cell({
  name,
  value,
  most,
  words,
  to,
}: {
  name: string;
  value: number;
  most: number;
  words: (value: number) => string;
  to: string | undefined;
}): ReactNode {
  const said = `${name} ${words(value)}`;
  if (value <= 0) return <td className="heat-none" title={said} aria-label={words(value)} />;
  const step = Math.min(STEPS - 1, Math.floor((value * STEPS) / most));
  return (
    <td className={`heat-${step}`}>
      {to === undefined ? <span className="sr-only">{words(value)}</span> : <Link to={to} title={said} aria-label={said} />}
    </td>
  );
}
