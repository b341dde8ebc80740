import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Loaded, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Tag } from "@zhangfang/web/show/StatusTag.tsx";
import { getStoreMonth, storeDayStatus } from "../../contract/index.ts";
import { MonthFrame } from "../days/MonthFrame.tsx";

type Cell = OutputOf<typeof getStoreMonth>["days"][number];

/** The month of a store: what each day came to, which are closed, and what still hinders the others. */
export function StoreMonth({
  storeId,
  month,
  onMonth,
  onOpen,
}: {
  storeId: string;
  month: string;
  onMonth: (month: string) => void;
  onOpen: (day: string) => void;
}): ReactNode {
  const found = useDetail(getStoreMonth, { storeId, month });
  return (
    <MonthFrame label={`${month} 门店月历`} month={month} onMonth={onMonth}>
      {(daysOf) => <Loaded of={found}>{({ days }) => daysOf(days, (cell) => <DayCell cell={cell} onOpen={onOpen} />)}</Loaded>}
    </MonthFrame>
  );
}
function DayCell({ cell, onOpen }: { cell: Cell; onOpen: (day: string) => void }): ReactNode {
  const number = Number(cell.day.slice(8));
  if (cell.future) return <span className="month-day month-future num">{number}</span>;
  const [words, tone] =
    cell.changed > 0
      ? [`${cell.changed} 处变动`, "bad" as const]
      : cell.status !== "open"
        ? [storeDayStatus.label(cell.status), storeDayStatus.tone(cell.status)]
        : cell.blocks > 0
          ? [`差 ${cell.blocks} 件`, "bad" as const]
          : cell.empty
            ? ["没收款", "ended" as const]
            : ["未关账", "warn" as const];
  return (
    <button
      type="button"
      className="month-day"
      onClick={() => onOpen(cell.day)}
      aria-label={`${cell.day.slice(0, 7)} ${number} ${words}${cell.empty ? "" : ` ${yuan(cell.totalCents)} 元`}`}
    >
      <span className="num month-number">{number}</span>
      <Tag tone={tone}>{words}</Tag>
      {!cell.empty && <span className="num note month-net">{yuan(cell.totalCents)}</span>}
    </button>
  );
}
