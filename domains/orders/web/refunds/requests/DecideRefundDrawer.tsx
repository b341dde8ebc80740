import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { decideRefundRequest, getRefund, previewRefundRequest, refundStatus } from "../../../contract/index.ts";
import { refundReads } from "../refund-reads.ts";
import { RefundPreview } from "../form/RefundPreview.tsx";
import { RefundResult } from "../form/RefundResult.tsx";
import type { Refund } from "../refund-words.ts";

const decision = labelled({ approve: "通过，立即退款", reject: "驳回" });

/** 退款审批: what is asked for, what each party gets or gives back by it, and a yes or a no with its reason. */
export function DecideRefundDrawer({ refundId, onClose }: { refundId: string; onClose: () => void }): ReactNode {
  const refund = useDetail(getRefund, { id: refundId });
  // Somebody else was quicker, or the link is old: what became of it is shown, not a choice that is none.
  if (refund.data && refund.data.status !== 0) return <RefundResult refundId={refundId} onClose={onClose} />;
  if (refund.data) return <DecideForm refund={refund.data} onClose={onClose} />;
  return <WaitingDrawer of={refund} title="退款审批" onClose={onClose} />;
}

function DecideForm({ refund, onClose }: { refund: Refund; onClose: () => void }): ReactNode {
  const amount = `¥${yuan(refund.amountCents)}`;
  const form = useForm(decideRefundRequest, {
    initial: { id: refund.id },
    draft: refund.id,
    done: "已提交审批结果",
    refreshes: refundReads,
    onDone: onClose,
    ask: (given) =>
      given.decision === "approve"
        ? {
            text: `通过后 ${amount} 立即原路退回订单 ${refund.orderNo}（${refund.storeName}）的付款人，不能撤回。`,
            ok: `通过并退款 ${amount}`,
            danger: true,
          }
        : undefined,
  });
  const preview = useDetail(previewRefundRequest, { id: refund.id });
  const chosen = form.values.decision;
  const submit = chosen === "approve" ? `通过并退款 ${amount}` : chosen === "reject" ? `驳回退款 ${amount}` : "提交审批";
  return (
    <FormDrawer form={form} title={`退款审批 ${refund.refundNo}`} submit={submit} danger={chosen === "approve"} onClose={onClose}>
      <div>
        <HeroLine label="申请退款" amount={refund.amountCents} status={<StatusTag of={refundStatus} code={refund.status} />} />
        <Group
          title="申请"
          pairs={[
            ["订单号", refund.orderNo],
            ["订单实收", <Money cents={refund.orderPaidCents} symbol />],
            ["门店", refund.storeName],
            ["申请人", refund.requestedByName],
            ["退款原因", refund.reason],
            ["申请时间", <Time at={refund.createdAt} />],
          ]}
        />
      </div>
      <RefundPreview
        tool={refund.tool}
        preview={preview.data}
        error={preview.error as ApiError | null}
        retry={() => void preview.refetch()}
      />
      <Field of={form.field("decision")} label="审批结果">
        {(f) => <Radios {...f} set={decision} onChange={(given) => form.set({ decision: given, note: form.values.note })} />}
      </Field>
      <Field
        of={form.field("note")}
        label={chosen === "reject" ? "驳回原因" : "审批意见"}
        optional={chosen !== "reject"}
        help="申请人会看到"
      >
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
