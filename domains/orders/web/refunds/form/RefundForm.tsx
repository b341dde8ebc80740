import { type ReactNode, useState } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { useSettled } from "@zhangfang/web/filter/use-settled.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { payTool } from "../../../../channels/contract.ts";
import { previewRefund, refundOrder } from "../../../contract/index.ts";
import type { PayOrderDetails } from "../../pay-orders/pay-order-details.ts";
import { QuickReasons } from "./QuickReasons.tsx";
import { refundReads } from "../refund-reads.ts";
import { RefundedBefore } from "./RefundedBefore.tsx";
import { RefundPreview } from "./RefundPreview.tsx";

/** The refund itself: an amount within what is left, a reason, and before it leaves, what goes back to whom. */
export function RefundForm({
  order,
  onClose,
  onDone,
}: {
  order: PayOrderDetails;
  onClose: () => void;
  onDone: (refundId: string) => void;
}): ReactNode {
  // What was left when the form was opened; a sum that changes under somebody's hands helps nobody, and the server decides.
  const [most] = useState(order.refundableCents);
  const form = useForm(refundOrder, {
    initial: { orderId: order.id, amountCents: most, reason: "" },
    draft: order.id,
    secrets: ["refundPassword"],
    refreshes: refundReads,
    onDone: (answer) => onDone(answer.refundId),
    check: ({ amountCents = 0 }) => (amountCents > most ? { amountCents: `最多可退 ¥${yuan(most)}` } : undefined),
    ask: ({ amountCents = 0 }) => ({
      text: `订单 ${order.orderNo}（${order.storeName}）退款 ¥${yuan(amountCents)}，经${payTool.label(order.tool)}原路退回付款人。提交后不能撤回。`,
      ok: `确认退款 ¥${yuan(amountCents)}`,
      danger: true,
    }),
  });
  const amount = form.values.amountCents ?? 0;
  const possible = amount > 0 && amount <= most;
  const asked = useSettled(amount, 200);
  const preview = useDetail(previewRefund, asked > 0 && asked <= most ? { orderId: order.id, amountCents: asked } : undefined);
  const act = preview.data?.needsApproval ? "申请退款" : "确认退款";
  return (
    <FormDrawer form={form} title={`退款 ${order.orderNo}`} submit={possible ? `${act} ¥${yuan(amount)}` : act} danger onClose={onClose}>
      <RefundedBefore order={order} />
      <Field
        of={form.field("amountCents")}
        label="退款金额（元）"
        help={`可退 ¥${yuan(most)}${possible ? `，退款后剩余 ¥${yuan(most - amount)}` : ""}`}
      >
        {(f) => <MoneyInput {...f} onFocus={(event) => event.currentTarget.select()} />}
      </Field>
      <Field of={form.field("reason")} label="退款原因" help="顾客会在退款通知里看到">
        {(f) => (
          <>
            <TextArea {...f} maxLength={80} rows={2} />
            <QuickReasons onPick={(reason) => form.set({ reason })} />
          </>
        )}
      </Field>
      {preview.data?.needsPassword && (
        <Field of={form.field("refundPassword")} label="退款密码" help="在商户配置里设置">
          {(f) => <TextInput {...f} type="password" autoComplete="off" maxLength={32} />}
        </Field>
      )}
      <RefundPreview
        tool={order.tool}
        {...(possible && { preview: preview.data, error: preview.error as ApiError | null })}
        retry={() => void preview.refetch()}
      />
    </FormDrawer>
  );
}
