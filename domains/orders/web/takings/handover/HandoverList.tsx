import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { DateRange } from "@zhangfang/web/filter/DateRange.tsx";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { CardRows } from "@zhangfang/web/list/table/CardRows.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { Pager } from "@zhangfang/web/list/Pager.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { StoreDayLink } from "../StoreDayLink.tsx";
import type { listHandovers } from "../../../contract/index.ts";

type Handover = RowOf<typeof listHandovers>;
const c = columns<Handover>();

/** Past handovers of the chosen store and cashier, newest first; each can be printed again as it was. */
export function HandoverList({ list, onPrint }: { list: List<typeof listHandovers>; onPrint: (id: string) => void }): ReactNode {
  const narrow = useNarrow();
  const shown = [
    c.time("createdAt", "交班时间", { width: 172 }),
    c.text("storeName", "门店"),
    c.text("cashierName", "收银员", (row) => row.cashierName ?? "全店", { width: 96 }),
    c.money("netCents", "净收款（元）", (row) => row.figures.total.netCents, { width: 124 }),
    c.number("payCount", "收款笔数", (row) => row.figures.total.payCount, { width: 88 }),
    c.money("paidCents", "实收（元）", (row) => row.figures.total.paidCents, { width: 124 }),
    c.money("refundCents", "退款（元）", (row) => row.figures.total.refundCents, { width: 116 }),
    c.text("handedByName", "交班人", { width: 128 }),
    c.text("note", "说明"),
    c.actions(
      (row) => (
        <>
          <StoreDayLink storeId={row.storeId} at={row.toAt} />
          <Button tone="link" onClick={() => onPrint(row.id)}>
            打印
          </Button>
        </>
      ),
      { width: 116 },
    ),
  ];
  return (
    <section className="sheet past-handovers" aria-label="交班记录">
      <h2>交班记录</h2>
      <div className="filters">
        <DateRange of={list.range("from", "to")} label="交班时间" />
      </div>
      {list.loading ? (
        <Skeleton rows={4} />
      ) : list.error ? (
        <Failure error={list.error} retry={list.refresh} />
      ) : list.rows.length === 0 ? (
        <Empty drawing="seal" text="还没有交班记录" />
      ) : narrow ? (
        <CardRows label="交班记录" rows={list.rows} columns={shown} rowKey={(row) => row.id} />
      ) : (
        <DataTable label="交班记录" rows={list.rows} columns={shown} onOpen={(row) => onPrint(row.id)} />
      )}
      {list.rows.length > 0 && <Pager list={list as unknown as List} unit="次" />}
    </section>
  );
}
