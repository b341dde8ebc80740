import { type ReactNode, useEffect } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Neighbours } from "@zhangfang/web/list/Neighbours.tsx";
import type { List } from "@zhangfang/web/list/use-list.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { DetailDrawer, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { useKey } from "@zhangfang/web/window/use-key.ts";
import { reprintOrder } from "../../../store-hardware/contract/index.ts";
import { getPayOrder, type listPayOrders, refundOrder, syncPayOrder } from "../../contract/index.ts";
import { PayOrderFacts } from "./PayOrderFacts.tsx";
import { ReprintReceipt } from "./acts/ReprintReceipt.tsx";
import { SyncOrder } from "./acts/SyncOrder.tsx";
import type { PayOrderDetails } from "./pay-order-details.ts";

/** Whether nothing about an order is on its way: neither its payment nor one of its refunds. */
const settled = (order: PayOrderDetails): boolean => order.status !== 0 && order.refunds.every(({ status }) => status !== 1);

/** One order over the list. It asks again by itself while a payment or a refund is on its way, and the list follows it. */
export function PayOrderDetail({ list, onRefund }: { list: List<typeof listPayOrders>; onRefund: (id: string) => void }): ReactNode {
  const order = useDetail(getPayOrder, list.openId && { id: list.openId }, { until: settled });
  const row = list.rows.find(({ id }) => id === order.data?.id);
  const moved =
    row !== undefined &&
    order.data !== undefined &&
    (row.status !== order.data.status ||
      row.refundedCents !== order.data.refundedCents ||
      row.refundingCents !== order.data.refundingCents);
  useEffect(() => {
    if (moved) list.refresh();
    // Once for each answer that moved, however often the list is drawn.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [moved, order.data]);
  const maySync = useAct(syncPayOrder);
  const mayRefund = useAct(refundOrder);
  const mayReprint = useAct(reprintOrder);
  if (list.openId === undefined) return null;
  const acts =
    order.data && ((maySync && order.data.syncable) || (mayRefund && order.data.refundable) || (mayReprint && order.data.paidAt !== null));
  return (
    <DetailDrawer
      title={order.data ? `订单 ${order.data.orderNo}` : "订单详情"}
      of={order}
      onClose={list.close}
      extra={<Neighbours of={list} />}
      footer={acts && <Acts order={order.data} onRefund={onRefund} />}
    >
      {(details) => <PayOrderFacts order={details} />}
    </DetailDrawer>
  );
}

function Acts({ order, onRefund }: { order: PayOrderDetails; onRefund: (id: string) => void }): ReactNode {
  const mayRefund = useAct(refundOrder);
  const refund = useKey("r");
  return (
    <>
      <SyncOrder order={order} />
      <ReprintReceipt order={order} />
      {mayRefund && order.refundable && (
        <Button ref={refund} tone="danger" aria-keyshortcuts="R" title="退款（R）" onClick={() => onRefund(order.id)}>
          退款
        </Button>
      )}
    </>
  );
}
