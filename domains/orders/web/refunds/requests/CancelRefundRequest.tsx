import { type ReactNode, useRef } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { cancelRefundRequest } from "../../../contract/index.ts";
import { refundReads } from "../refund-reads.ts";
import type { RefundAct } from "../RetryRefund.tsx";

/** Takes one's own request back while nobody has decided; the amount may be refunded again. */
export function CancelRefundRequest({ refund, tone, refreshes = [] }: RefundAct): ReactNode {
  const [busy, run] = useRun([...refundReads, ...refreshes]);
  // Pressed again after an answer that nobody heard, it hears the first one.
  const requestId = useRef(crypto.randomUUID());
  const cancel = async (): Promise<void> => {
    const amount = `¥${yuan(refund.amountCents)}`;
    if (!(await confirm(`撤回订单 ${refund.orderNo} 的退款申请 ${amount}？撤回后可以重新申请。`, { ok: "撤回申请" }))) return;
    await run(async () => {
      await call(cancelRefundRequest, { requestId: requestId.current, id: refund.id });
      success(`已撤回退款申请 ${amount}`);
    });
  };
  return (
    <Act of={cancelRefundRequest}>
      <Button tone={tone} busy={busy} onClick={() => void cancel()}>
        撤回
      </Button>
    </Act>
  );
}
