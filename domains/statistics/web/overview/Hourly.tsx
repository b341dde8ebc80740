import type { ReactNode } from "react";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { Chart } from "@zhangfang/web/show/figures/Chart.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { type Compare, compare, spanName } from "../spans.ts";
import type { Shown } from "./shown.ts";

/** The hours of the span's last day against another day. Hours of today that are still to come are not drawn. */
export function Hourly({ shown, onCompare }: { shown: Shown; onCompare: (against: Compare) => void }): ReactNode {
  const { hours, day, compareDay } = shown.hourly;
  const last = day === shown.today ? Number(shanghaiTime(shown.asOf).slice(11, 13)) : 23;
  const name = spanName({ from: day, to: day }, shown.today);
  const best = hours.reduce((most, hour) => (hour.paidCents > most.paidCents ? hour : most), { hour: -1, paidCents: 0 });
  return (
    <div className="sheet">
      <Chart
        title={best.hour < 0 ? `${name}没有收款` : `${name} ${best.hour} 时收款最高`}
        kind="line"
        unit="元"
        labels={hours.map(({ hour }) => `${hour}:00`)}
        series={[
          { name, values: hours.map(({ hour, paidCents }) => (hour > last ? null : paidCents)) },
          {
            name: `${compare.label(shown.compare)} ${compareDay.slice(5)}`,
            values: hours.map(({ comparePaidCents }) => comparePaidCents),
            compare: true,
          },
        ]}
        extra={<Segments small label="对比" set={compare} value={shown.compare} onChange={onCompare} />}
      />
    </div>
  );
}
