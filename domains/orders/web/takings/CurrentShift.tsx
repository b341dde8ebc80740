import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatCards } from "@zhangfang/web/show/figures/StatCards.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { beforehandOf, type Shift } from "./shift-sums.ts";
import { TakingsTable } from "./TakingsTable.tsx";

/** The figures since the last handover: what counts first, then where it came from. */
export function CurrentShift({ of: shift }: { of: UseQueryResult<Shift> }): ReactNode {
  if (shift.data === undefined)
    return shift.error ? <Failure error={shift.error as ApiError} retry={() => void shift.refetch()} /> : <Skeleton rows={6} />;
  const { fromAt, toAt, rows, total, outside } = shift.data;
  return (
    <>
      <div className="list-bar">
        <p className="totals">
          <span>
            {fromAt === null ? (
              "开业以来，从未交班"
            ) : (
              <>
                上次交班 <Time at={fromAt} />
              </>
            )}
          </span>
          <span>
            截至 <Time at={toAt} />
          </span>
        </p>
        <Button small busy={shift.isFetching} onClick={() => void shift.refetch()}>
          刷新
        </Button>
      </div>
      {rows.length === 0 && outside.length === 0 ? (
        <Empty drawing="ledger" text="上次交班以来还没有收款" />
      ) : (
        <>
          <StatCards
            stats={[
              { label: "净收款（元）", value: <Money cents={total.netCents} /> },
              ...beforehandOf(total).map(([name, cents]) => ({ label: `${name}（元）`, value: <Money cents={cents} /> })),
              { label: `实收（元），${total.payCount} 笔`, value: <Money cents={total.paidCents} /> },
              { label: `退款（元），${total.refundCount} 笔`, value: <Money cents={total.refundCents} /> },
              { label: "手续费（元）", value: <Money cents={total.feeCents} /> },
              // Past the channels: not in 净收款, but in the drawer.
              ...outside.map(({ name, count, cents }) => ({ label: `${name}（元），${count} 笔，另计`, value: <Money cents={cents} /> })),
            ]}
          />
          <TakingsTable rows={rows} total={total} />
        </>
      )}
    </>
  );
}
