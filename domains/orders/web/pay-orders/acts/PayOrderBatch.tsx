import { type ReactNode, useRef } from "react";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { call } from "@zhangfang/web/api/api.ts";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { BatchExport } from "@zhangfang/web/list/batch/BatchExport.tsx";
import { BatchRun } from "@zhangfang/web/list/batch/BatchRun.tsx";
import { useSeen } from "@zhangfang/web/list/batch/use-seen.ts";
import { selectedIds } from "@zhangfang/web/list/selected.ts";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { reprintOrder } from "../../../../store-hardware/contract/index.ts";
import { listPayOrders, MOST_ORDERS_AT_ONCE, syncPayOrder } from "../../../contract/index.ts";

/** What is done with the ticked orders: the acts of one, one after the other, and a file of them. */
export function PayOrderBatch({ list, selection }: { list: List<typeof listPayOrders>; selection: Selection }): ReactNode {
  const seen = useSeen(list.rows);
  // What failed and is tried again is the same request: no receipt is printed twice for one press.
  const requests = useRef(new Map<string, string>());
  const requestOf = (id: string): string => {
    const known = requests.current.get(id) ?? crypto.randomUUID();
    requests.current.set(id, known);
    return known;
  };
  const mayExport = useAct(["/dataCentre/payOrder/export"]);
  const shared = {
    ids: () => selectedIds(listPayOrders, selection, { most: MOST_ORDERS_AT_ONCE, unit: "笔订单" }),
    nameOf: (id: string) => seen.get(id)?.orderNo ?? "其他页的订单",
    onEnd: list.refresh,
  };
  return (
    <>
      {mayExport && <BatchExport of={selection} source="pay-orders" title="支付订单" unit="笔" />}
      <Act of={syncPayOrder}>
        <BatchRun
          {...shared}
          label="查单同步"
          ask={(count) => `向通道查询 ${count} 笔订单，以通道的结果为准？`}
          run={async (id) => (await call(syncPayOrder, { id }, { quiet: true })).message}
        />
      </Act>
      <Act of={reprintOrder}>
        <BatchRun
          {...shared}
          label="补打小票"
          ask={(count) => `在各自门店的打印机上补打 ${count} 笔订单的小票？`}
          run={async (id) => {
            const { printers } = await call(reprintOrder, { requestId: requestOf(id), orderId: id }, { quiet: true });
            // Whoever presses again wants another one.
            requests.current.delete(id);
            return `已发送到 ${printers} 台打印机`;
          }}
        />
      </Act>
    </>
  );
}
