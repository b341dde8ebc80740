import { type ReactNode, useState } from "react";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getPayOrder } from "../../../contract/index.ts";
import { RefundForm } from "./RefundForm.tsx";
import { RefundResult } from "./RefundResult.tsx";

/** 退款: the order is read, the form sends one refund, and what became of it is shown until it is decided. */
export function RefundDrawer({ orderId, onClose }: { orderId: string; onClose: () => void }): ReactNode {
  const order = useDetail(getPayOrder, { id: orderId });
  const [refundId, setRefundId] = useState<string>();
  if (refundId !== undefined) return <RefundResult refundId={refundId} onClose={onClose} />;
  if (order.data) return <RefundForm order={order.data} onClose={onClose} onDone={setRefundId} />;
  return <WaitingDrawer of={order} title="退款" onClose={onClose} />;
}
