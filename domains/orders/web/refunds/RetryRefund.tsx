import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api.ts";
import { confirm, success } from "@zhangfang/web/notify.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { retryRefund } from "../../contract/index.ts";
import { refundReads } from "./refund-reads.ts";
import type { Refund } from "./refund-words.ts";

/** What is offered for a refund, and what else is old once it is done, beside the lists of orders and refunds. */
export interface RefundAct {
  readonly refund: Refund;
  readonly tone: ButtonTone;
  readonly refreshes?: readonly Pick<Endpoint, "path">[];
}

/** Sends a failed refund again, under its own number: the channel knows it, so that it can't pay twice. */
export function RetryRefund({ refund, tone, refreshes = [] }: RefundAct): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const attempt = useRef<{ readonly bear: boolean; readonly key: string }>(undefined);
  const amount = `¥${yuan(refund.amountCents)}`;
  const retry = async (bear: boolean): Promise<void> => {
    const what = bear ? "接收方没有退回的分账由商户承担，" : "";
    const agreed = await confirm(
      `退款 ${refund.refundNo}（订单 ${refund.orderNo}，${refund.storeName}）将再次向渠道申请，${what}${amount} 原路退回付款人。`,
      { ok: `重新退款 ${amount}`, danger: true },
    );
    if (!agreed) return;
    setBusy(true);
    // The same click, made again after an answer that nobody heard, hears the first one.
    const key = attempt.current?.bear === bear ? attempt.current.key : crypto.randomUUID();
    attempt.current = { bear, key };
    try {
      await call(retryRefund, { requestId: key, id: refund.id, ...(bear && { bear }) });
      attempt.current = undefined;
      success(`已重新提交退款 ${amount}`);
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
      // It was heard and refused: the next one is another.
      if (failure.status > 0 && failure.status < 500) attempt.current = undefined;
    } finally {
      setBusy(false);
      for (const { path } of [...refundReads, ...refreshes]) void client.invalidateQueries({ queryKey: [path] });
    }
  };
  if (!refund.retryable) return null;
  return (
    <Act of={retryRefund}>
      <Button tone={tone} busy={busy} onClick={() => void retry(false)}>
        重试
      </Button>
      {refund.channelStatus === "RETURN_FAILED" && tone !== "link" && (
        <Button busy={busy} onClick={() => void retry(true)}>
          商户承担并退款
        </Button>
      )}
    </Act>
  );
}
