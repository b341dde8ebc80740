import { type ReactNode, useState } from "react";
import type { ApiError } from "@zhangfang/web/api-errors.ts";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { useDetail } from "@zhangfang/web/show/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/Drawer.tsx";
import { Failure } from "@zhangfang/web/show/Empty.tsx";
import { getPayOrder } from "../../contract/index.ts";
import { RefundForm } from "./RefundForm.tsx";
import { RefundResult } from "./RefundResult.tsx";

/** 退款: the order is read, the form sends one refund, and what became of it is shown until it is decided. */
export function RefundDrawer({ orderId, onClose }: { orderId: string; onClose: () => void }): ReactNode {
  const order = useDetail(getPayOrder, { id: orderId });
  const [refundId, setRefundId] = useState<string>();
  if (refundId !== undefined) return <RefundResult refundId={refundId} onClose={onClose} />;
  if (order.data) return <RefundForm order={order.data} onClose={onClose} onDone={setRefundId} />;
  return (
    <Drawer title="退款" onClose={onClose}>
      {order.error ? <Failure error={order.error as ApiError} retry={() => void order.refetch()} /> : <Skeleton rows={6} />}
    </Drawer>
  );
}
