import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextArea } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Group, HeroLine, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty } from "@zhangfang/web/show/Empty.tsx";
import { Money } from "@zhangfang/web/show/figures/Money.tsx";
import { StatusTag } from "@zhangfang/web/show/StatusTag.tsx";
import { decideWithdrawal, getWithdrawal, payoutMethod, receiver, withdrawalStatus } from "../../contract/index.ts";
import type { Withdrawal } from "./withdrawal.ts";
import { withdrawalReads } from "./withdrawal-reads.ts";

const decision = labelled({ approve: "通过", reject: "驳回" });

/** 审核提现: who asks for what, and a yes or a no with its reason. */
export function DecideDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const withdrawal = useDetail(getWithdrawal, { id });
  if (withdrawal.data?.decidable) return <DecideForm withdrawal={withdrawal.data} onClose={onClose} />;
  if (!withdrawal.data) return <WaitingDrawer title="审核提现" of={withdrawal} onClose={onClose} />;
  return (
    <Drawer title="审核提现" onClose={onClose}>
      <Empty drawing="seal" text={`此提现现为「${withdrawalStatus.label(withdrawal.data.status)}」，不需要你审核`} />
    </Drawer>
  );
}

function DecideForm({ withdrawal: w, onClose }: { withdrawal: Withdrawal; onClose: () => void }): ReactNode {
  const [amount, net] = [`¥${yuan(w.askedCents)}`, `¥${yuan(w.netCents)}`];
  const form = useForm(decideWithdrawal, {
    initial: { id: w.id },
    draft: w.id,
    done: "已提交审核结果",
    refreshes: withdrawalReads,
    onDone: onClose,
    ask: (given) =>
      given.decision === "approve"
        ? {
            text:
              w.method === "wechat"
                ? `通过后 ${net} 从服务商的微信支付账户付给「${w.receiverName}」${w.numberMask}（${w.holderMask}），不能撤回。`
                : `通过后请从服务商的银行账户把 ${net} 付给「${w.receiverName}」${w.numberMask}（${w.holderMask}），再登记打款结果。`,
            ok: `通过 ${amount}`,
            danger: true,
          }
        : undefined,
  });
  const chosen = form.values.decision;
  return (
    <FormDrawer
      form={form}
      title={`审核提现 ${w.withdrawalNo}`}
      submit={chosen === "approve" ? `通过提现 ${amount}` : chosen === "reject" ? `驳回提现 ${amount}` : "提交审核"}
      danger={chosen === "approve"}
      onClose={onClose}
    >
      <div>
        <HeroLine label="申请提现" amount={w.askedCents} status={<StatusTag of={withdrawalStatus} code={w.status} />} />
        <Group
          title="申请"
          pairs={[
            ["分润方", `${receiver.label(w.receiver)} ${w.receiverName}`],
            ["手续费", <Money cents={w.feeCents} symbol />],
            ["到账金额", <Money cents={w.netCents} symbol />],
            ["收款账户", <span className="num">{`${w.bankName ?? payoutMethod.label(w.method)} ${w.numberMask} ${w.holderMask}`}</span>],
            ["申请人", w.appliedByName],
          ]}
        />
      </div>
      <Field of={form.field("decision")} label="审核结果">
        {(f) => <Radios {...f} set={decision} onChange={(given) => form.set({ decision: given, note: form.values.note })} />}
      </Field>
      <Field
        of={form.field("note")}
        label={chosen === "reject" ? "驳回原因" : "审核意见"}
        optional={chosen !== "reject"}
        help="申请人会看到"
      >
        {(f) => <TextArea {...f} maxLength={80} rows={2} />}
      </Field>
    </FormDrawer>
  );
}
