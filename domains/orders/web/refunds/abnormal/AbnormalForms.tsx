import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { today } from "@zhangfang/web/filter/day-shortcuts.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Pick, Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { debitBank, decideEvidence, listRefundEvidence, proveRefund, redirectRefund } from "../../../contract/index.ts";
import { refundReads } from "../refund-reads.ts";
import { RefundPassword } from "../RefundPassword.tsx";
import type { Refund } from "../refund-words.ts";

interface Props {
  readonly refund: Refund;
  readonly onClose: () => void;
}
const reads = [...refundReads, listRefundEvidence] as const;
const WAYS = labelled({ card: "付款人的借记卡", merchant: "商户的银行账户" });

/** 退到银行账户: the channel sends the refund on; the card goes to the channel alone. */
export function RedirectRefundDrawer({ refund, needsPassword, onClose }: Props & { needsPassword: boolean }): ReactNode {
  const amount = `¥${yuan(refund.amountCents)}`;
  const form = useForm(redirectRefund, {
    initial: { id: refund.id, to: "card" },
    secrets: ["account", "name", "refundPassword"],
    refreshes: [...reads],
    onDone: ({ message }) => {
      success(message);
      onClose();
    },
    ask: ({ to, bank, account }) => ({
      text:
        to === "card"
          ? `退款 ${refund.refundNo} 的 ${amount} 将退到${debitBank.label(bank)}尾号 ${(account ?? "").slice(-4)} 的借记卡。提交后不能撤回。`
          : `退款 ${refund.refundNo} 的 ${amount} 将退到商户的银行账户，请随后自行转给付款人。提交后不能撤回。`,
      ok: `确认退款 ${amount}`,
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title={`异常退款 ${refund.refundNo}`} submit={`确认退款 ${amount}`} danger onClose={onClose}>
      <Field of={form.field("to")} label="退到哪里">
        {(f) => <Radios {...f} set={WAYS} />}
      </Field>
      {form.values.to === "card" && (
        <>
          <Field of={form.field("bank")} label="银行" help="通道只支持这些银行的借记卡">
            {(f) => <Pick {...f} set={debitBank} />}
          </Field>
          <Field of={form.field("account")} label="银行卡号" help="加密后只交给通道，系统只留尾号">
            {(f) => <TextInput {...f} inputMode="numeric" autoComplete="off" maxLength={19} />}
          </Field>
          <Field of={form.field("name")} label="收款人姓名" help="须与付款人一致">
            {(f) => <TextInput {...f} autoComplete="off" maxLength={32} />}
          </Field>
        </>
      )}
      {(needsPassword || form.field("refundPassword").error) && <RefundPassword field={form.field("refundPassword")} />}
    </FormDrawer>
  );
}

/** 提交线下转账凭证: another person confirms it before anything moves. */
export function ProveRefundDrawer({ refund, onClose }: Props): ReactNode {
  const form = useForm(proveRefund, {
    initial: { id: refund.id, transferredOn: today() },
    draft: refund.id,
    done: "已提交，等待另一人复核",
    refreshes: [...reads],
    onDone: onClose,
    ask: () => `提交后由另一人复核；复核通过，退款 ${refund.refundNo} 的 ¥${yuan(refund.amountCents)} 记为已退款。`,
  });
  return (
    <FormDrawer form={form} title={`转账凭证 ${refund.refundNo}`} submit="提交凭证" onClose={onClose}>
      <Field of={form.field("transferNo")} label="银行流水号">
        {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
      </Field>
      <Field of={form.field("transferredOn")} label="转账日期">
        {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? undefined)} />}
      </Field>
      <Field of={form.field("note")} label="转账说明" help="从哪个账户转给谁，不要写完整卡号">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}

/** 驳回凭证: why, for whoever sent it. */
export function RejectEvidenceDrawer({ id, refund, onClose }: Props & { id: string }): ReactNode {
  const form = useForm(decideEvidence, {
    initial: { id, decision: "reject" },
    done: "已驳回凭证",
    refreshes: [...reads],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`驳回凭证 ${refund.refundNo}`} submit="驳回" danger onClose={onClose}>
      <Field of={form.field("note")} label="驳回原因">
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
