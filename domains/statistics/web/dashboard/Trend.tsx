import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Chart } from "@zhangfang/web/show/figures/Chart.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { metric, type Step } from "../../contract/index.ts";
import { shortDay } from "../spans.ts";
import type { Address } from "../use-address.ts";
import { useDrill } from "../use-drill.ts";
import { type DashboardData, useDashboard } from "./use-dashboard.ts";

type TrendStep = DashboardData["trend"][number];
const drawn = labelled({
  paidCents: metric.label("paidCents"),
  payCount: metric.label("payCount"),
  refundCents: metric.label("refundCents"),
  feeCents: metric.label("feeCents"),
  netCents: metric.label("netCents"),
});
const comparing = labelled({ yes: "对比上期", no: "不对比" });

/** One figure along the span, against the span before; a press on a step opens its orders or refunds. */
export function Trend({ shown, address }: { shown: DashboardData; address: Address }): ReactNode {
  const to = useDrill();
  const figure = drawn.values.find((one) => one === address.values["figure"]) ?? "paidCents";
  const compared = address.values["compare"] !== "no";
  const before = useDashboard(shown.previousSpan, shown.by, compared).data;
  const past = compared && before && !before.trend.some(({ from }) => from > shown.previousSpan.to) ? before.trend : undefined;
  const most = shown.trend.reduce<TrendStep | undefined>(
    (best, one) => (best === undefined || one[figure] > best[figure] ? one : best),
    undefined,
  );
  return (
    <div className="sheet">
      <Chart
        title={most && most[figure] > 0 ? `${stepName(most, shown.by)} ${drawn.label(figure)}最高` : `${drawn.label(figure)}趋势`}
        kind={shown.by === "day" ? "line" : "bar"}
        unit={figure === "payCount" ? "笔" : "元"}
        labels={shown.trend.map((one) => stepName(one, shown.by))}
        links={shown.trend.map(({ drill }) =>
          figure === "netCents" ? undefined : to(figure === "refundCents" ? drill.refund : drill.pay),
        )}
        series={[
          { name: "本期", values: shown.trend.map((one) => one[figure]) },
          ...(past
            ? [
                {
                  name: `上期 ${shortDay(shown.previousSpan.from)} 起`,
                  values: shown.trend.map((_one, index) => past[index]?.[figure] ?? null),
                  compare: true,
                },
              ]
            : []),
        ]}
        extra={
          <>
            <Segments
              small
              label="指标"
              set={drawn}
              value={figure}
              onChange={(next) => address.set({ figure: next === "paidCents" ? undefined : next })}
            />
            <Segments
              small
              label="对比"
              set={comparing}
              value={compared ? "yes" : "no"}
              onChange={(next) => address.set({ compare: next === "yes" ? undefined : next })}
            />
          </>
        }
      />
    </div>
  );
}

/** 11-05, the week from 11-02, 2026-11. */
function stepName({ from, to }: Pick<TrendStep, "from" | "to">, by: Step): string {
  if (by === "day") return shortDay(from);
  return by === "month" ? from.slice(0, 7) : `${shortDay(from)}~${shortDay(to)}`;
}
