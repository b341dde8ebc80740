import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { type BillSource, billSource, dayState, getReconMonth } from "../../contract/index.ts";
import { MonthFrame } from "./MonthFrame.tsx";

type Cell = OutputOf<typeof getReconMonth>["days"][number];

/** The month of one merchant at one channel: what is closed, what differs, and where no bill came. */
export function MonthCalendar({
  merchantId,
  source,
  onOpen,
  onMissing,
}: {
  merchantId: string | undefined;
  source: BillSource;
  onOpen: (id: string) => void;
  /** A day without a bill; a platform's cannot be brought here. */
  onMissing?: (day: string) => void;
}): ReactNode {
  const [month, setMonth] = useState(today().slice(0, 7));
  const found = useDetail(getReconMonth, { source, month, ...(merchantId && { merchantId }) });
  return (
    <MonthFrame label={`${month} 对账月历`} month={month} of={billSource.label(source)} onMonth={setMonth}>
      {(daysOf) => (
        <Loaded of={found}>{({ days }) => daysOf(days, (day) => <DayCell day={day} onOpen={onOpen} onMissing={onMissing} />)}</Loaded>
      )}
    </MonthFrame>
  );
}
function DayCell({
  day,
  onOpen,
  onMissing,
}: {
  day: Cell;
  onOpen: (id: string) => void;
  onMissing: ((day: string) => void) | undefined;
}): ReactNode {
  const number = Number(day.day.slice(8));
  if (day.state === "future") return <span className="month-day month-future num">{number}</span>;
  const words =
    day.state === "none"
      ? onMissing
        ? "无账单"
        : "无记录"
      : day.state === "differing"
        ? `差异 ${day.openCount}`
        : dayState.label(day.state);
  const tone = day.state === "none" ? "ended" : dayState.tone(day.state);
  return (
    <button
      type="button"
      className="month-day"
      disabled={day.id === null && !onMissing}
      onClick={() => (day.id === null ? onMissing?.(day.day) : onOpen(day.id))}
      aria-label={`${day.day.slice(0, 7)} ${number} ${words}${day.id === null ? "" : ` ${yuan(day.netCents)} 元净收`}`}
    >
      <span className="num month-number">{number}</span>
      <Tag tone={tone}>{words}</Tag>
      {day.id !== null && <span className="num note month-net">{yuan(day.netCents)}</span>}
    </button>
  );
}
