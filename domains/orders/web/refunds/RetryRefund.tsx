import { type ReactNode, useState } from "react";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button, type ButtonTone } from "@zhangfang/web/show/Button.tsx";
import { Group, HeroLine, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { previewRefundRetry, refundStatus, retryRefund } from "../../contract/index.ts";
import { refundReads } from "./refund-reads.ts";
import { RefundPreview } from "./form/RefundPreview.tsx";
import { RefundPassword } from "./RefundPassword.tsx";
import type { Refund } from "./refund-words.ts";

/** What is offered for a refund, and what else is old once it is done, beside the lists of orders and refunds. */
export interface RefundAct {
  readonly refund: Refund;
  readonly tone: ButtonTone;
  readonly refreshes?: readonly Pick<Endpoint, "path">[];
}

/** Sends a failed refund again, under its own number: the channel knows it, so that it can't pay twice. */
export function RetryRefund({ refund, tone, refreshes = [] }: RefundAct): ReactNode {
  const [asked, setAsked] = useState<"again" | "bear">();
  if (!refund.retryable) return null;
  return (
    <Act of={retryRefund}>
      <Button tone={tone} onClick={() => setAsked("again")}>
        重试
      </Button>
      {refund.channelStatus === "RETURN_FAILED" && tone !== "link" && <Button onClick={() => setAsked("bear")}>商户承担并退款</Button>}
      {asked && <RetryForm refund={refund} bear={asked === "bear"} refreshes={refreshes} onClose={() => setAsked(undefined)} />}
    </Act>
  );
}

/** What the refund is and what each party gets or gives back by it, before it goes out again. */
function RetryForm({
  refund,
  bear,
  refreshes,
  onClose,
}: {
  refund: Refund;
  bear: boolean;
  refreshes: readonly Pick<Endpoint, "path">[];
  onClose: () => void;
}): ReactNode {
  const amount = `¥${yuan(refund.amountCents)}`;
  const preview = useDetail(previewRefundRetry, { id: refund.id, bear });
  const form = useForm(retryRefund, {
    initial: { id: refund.id, ...(bear && { bear }) },
    draft: false,
    done: `已重新提交退款 ${amount}`,
    refreshes: [...refundReads, ...refreshes],
    onDone: onClose,
  });
  const password = form.field("refundPassword");
  return (
    <FormDrawer form={form} title={`重新退款 ${refund.refundNo}`} submit={`重新退款 ${amount}`} danger onClose={onClose}>
      <div>
        <HeroLine label="退款金额" amount={refund.amountCents} status={<StatusTag of={refundStatus} code={refund.status} />} />
        <Group
          title="退款"
          pairs={[
            ["订单号", refund.orderNo],
            ["门店", refund.storeName],
            ["上次失败", refund.failure],
          ]}
        />
      </div>
      <p className="notice notice-warn">
        将再次向通道申请，{bear ? "接收方没有退回的分账由商户承担，" : ""}
        {amount} 原路退回付款人。提交后不能撤回。
      </p>
      {(preview.data?.needsPassword || password.error) && <RefundPassword field={password} />}
      <RefundPreview
        tool={refund.tool}
        preview={preview.data}
        error={preview.error as ApiError | null}
        retry={() => void preview.refetch()}
      />
    </FormDrawer>
  );
}
