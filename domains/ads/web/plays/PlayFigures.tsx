import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Chart } from "@zhangfang/web/show/figures/Chart.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { slots } from "@zhangfang/web/slots.ts";
import { getAdStatistics, statisticsBy } from "../../contract/index.ts";

const DAILY = ["day", "sn", "name", "material", "plays", "finished", "seconds", "unverified", "lastPlayAt", "storeName", "merchantName"];
type By = (typeof statisticsBy)["values"][number];
const drawn = labelled({ plays: "次数", finished: "完整", seconds: "分钟" });

/** What an ad played: along the days, or in the stores and on the devices where it played most. */
export function PlayFigures({ filters }: { filters: Readonly<Record<string, string>> }): ReactNode {
  const [by, setBy] = useState<By>("day");
  const [figure, setFigure] = useState<"plays" | "finished" | "seconds">("plays");
  const answer = useQuery({
    // As old as the list's sums: 刷新 asks for both again.
    queryKey: [getAdStatistics.path, "summary", filters, by],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(getAdStatistics, { ...filters, by } as InputOf<typeof getAdStatistics>, { signal }),
  });
  const rows = answer.data;
  if (!rows) {
    const failed = answer.error && <Failure error={answer.error as ApiError} retry={() => void answer.refetch()} />;
    return <div className="sheet list-filters">{failed ?? <Skeleton rows={5} />}</div>;
  }
  const values = rows.map((row) => (figure === "seconds" ? Math.round(row.seconds / 60) : row[figure]));
  const most = Math.max(0, ...values);
  const best = rows[values.indexOf(most)];
  const short = (name: string): string => (by === "day" ? name.slice(5) : name);
  return (
    <div className="sheet list-filters">
      <Chart
        title={best && most > 0 ? `${short(best.name)} 播放最多` : "这段时间没有播放"}
        kind={by === "day" ? "line" : "bar"}
        unit={figure === "seconds" ? "分钟" : "次"}
        labels={rows.map((row) => short(row.name))}
        series={[{ name: drawn.label(figure), values }]}
        extra={
          <>
            <Segments small label="统计方式" set={statisticsBy} value={by} onChange={setBy} />
            <Segments small label="指标" set={drawn} value={figure} onChange={setFigure} />
            <DailyExport filters={filters} />
          </>
        }
      />
    </div>
  );
}

/** The days behind the chart as a file: each device's day with each material. */
function DailyExport({ filters }: { filters: Readonly<Record<string, string>> }): ReactNode {
  const [open, setOpen] = useState(false);
  const Dialog = slots.exportDialog;
  if (!Dialog) return null;
  return (
    <>
      <Button small aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="download" size={14} />
        导出日报
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Dialog
            request={{ source: "ad-plays", title: "广告播放日报", unit: "条", filters, columns: DAILY, total: undefined }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
