import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { refundStatus } from "../../../contract/index.ts";
import type { PayOrderDetails } from "../../pay-orders/pay-order-details.ts";

/** The refunds that an order has already, so that nobody refunds twice what was refunded once. */
export function RefundedBefore({ order }: { order: Pick<PayOrderDetails, "refunds"> }): ReactNode {
  const counted = order.refunds.filter(({ status }) => status < 4);
  if (counted.length === 0) return null;
  return (
    <div className="notice notice-warn">
      本单已有 {counted.length} 笔退款
      <ul>
        {counted.map((refund) => (
          <li key={refund.id} className="num">
            ¥{yuan(refund.amountCents)}　{refundStatus.label(refund.status)}　{refund.reason}
          </li>
        ))}
      </ul>
    </div>
  );
}
