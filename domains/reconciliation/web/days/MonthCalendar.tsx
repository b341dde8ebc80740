import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { type BillSource, billSource, dayState, getReconMonth } from "../../contract/index.ts";

type Cell = OutputOf<typeof getReconMonth>["days"][number];
const WEEK = ["一", "二", "三", "四", "五", "六", "日"];

function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const at = new Date(Date.UTC(year, number - 1 + by, 1));
  return at.toISOString().slice(0, 7);
}

/** The month of one merchant at one channel: what is closed, what differs, and where no bill came. */
export function MonthCalendar({
  merchantId,
  source,
  onOpen,
}: {
  merchantId: string | undefined;
  source: BillSource;
  onOpen: (day: Cell) => void;
}): ReactNode {
  const [month, setMonth] = useState(today().slice(0, 7));
  const found = useDetail(getReconMonth, { source, month, ...(merchantId && { merchantId }) });
  const days = found.data?.days;
  const before = days?.[0] ? (new Date(`${days[0].day}T00:00:00Z`).getUTCDay() + 6) % 7 : 0;
  return (
    <section className="sheet month" aria-label={`${month} 对账月历`}>
      <header className="month-head">
        <h2>
          {month.replace("-", " 年 ").replace(/ 0?(\d+)$/, " $1 月")} <span className="note">{billSource.label(source)}</span>
        </h2>
        <span className="neighbours">
          <button type="button" className="icon-button" aria-label="上个月" onClick={() => setMonth(moved(month, -1))}>
            <Icon name="left" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label="下个月"
            disabled={month >= today().slice(0, 7)}
            onClick={() => setMonth(moved(month, 1))}
          >
            <Icon name="right" />
          </button>
        </span>
      </header>
      {found.error ? (
        <Failure error={found.error as ApiError} retry={() => void found.refetch()} />
      ) : !days ? (
        <Skeleton rows={5} />
      ) : (
        <>
          <div className="month-grid month-week" aria-hidden="true">
            {WEEK.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
          <ol className="month-grid">
            {days.map((day, index) => (
              <li key={day.day} style={index === 0 ? { gridColumnStart: before + 1 } : undefined}>
                <DayCell day={day} onOpen={onOpen} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function DayCell({ day, onOpen }: { day: Cell; onOpen: (day: Cell) => void }): ReactNode {
  const number = Number(day.day.slice(8));
  if (day.state === "future") return <span className="month-day month-future num">{number}</span>;
  const words = day.state === "none" ? "无账单" : day.state === "differing" ? `差异 ${day.openCount}` : dayState.label(day.state);
  const tone = day.state === "none" ? "ended" : dayState.tone(day.state);
  return (
    <button
      type="button"
      className="month-day"
      onClick={() => onOpen(day)}
      aria-label={`${day.day} ${words}${day.id === null ? "" : `，净收 ${yuan(day.netCents)} 元`}`}
    >
      <span className="num month-number">{number}</span>
      <Tag tone={tone}>{words}</Tag>
      {day.id !== null && <span className="num note month-net">{yuan(day.netCents)}</span>}
    </button>
  );
}
