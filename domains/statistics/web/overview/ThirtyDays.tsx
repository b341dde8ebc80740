import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { Chart } from "@zhangfang/web/show/figures/Chart.tsx";
import { CHART_COLOURS } from "@zhangfang/web/look/tokens.ts";
import { shortDay } from "../spans.ts";
import { useDrill } from "../use-drill.ts";
import type { Shown } from "./shown.ts";

/** The 30 days that end with the span: what came in and what went back. */
export function ThirtyDays({ line }: Pick<Shown, "line">): ReactNode {
  const to = useDrill();
  const paid = line.reduce((sum, { paidCents }) => sum + paidCents, 0);
  return (
    <div className="sheet">
      <Chart
        title={`近 30 天实收 ${yuan(paid)}\u00a0元，截至 ${shortDay(line.at(-1)?.day ?? "")}`}
        kind="line"
        unit="元"
        labels={line.map(({ day }) => shortDay(day))}
        links={line.map(({ drill }) => to(drill))}
        series={[
          { name: "实收", values: line.map(({ paidCents }) => paidCents) },
          { name: "退款", values: line.map(({ refundCents }) => refundCents), colour: CHART_COLOURS[3] },
        ]}
      />
    </div>
  );
}
