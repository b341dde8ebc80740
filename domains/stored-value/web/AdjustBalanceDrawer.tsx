import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, Pick, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { getMember, getMemberAccount, getMemberTimeline } from "../../members/contract/index.ts";
import { adjustBalance, adjustKind, adjustReason, listAdjusts, listMoves, summariseMoves } from "../contract/index.ts";

/** 改余额, of whoever is typed, or of the member whose page it is. */
export function AdjustBalanceDrawer({ memberNo, onClose }: { memberNo?: string; onClose: () => void }): ReactNode {
  const form = useForm(adjustBalance, {
    initial: { kind: 1, reason: 1, ...(memberNo !== undefined && { memberNo }) },
    draft: false,
    refreshes: [listMoves, summariseMoves, listAdjusts, getMember, getMemberAccount, getMemberTimeline],
    onDone: ({ status }) => {
      success(status === 0 ? "已提交，等另一人审核" : "已生效");
      onClose();
    },
    ask: ({ kind, amountCents = 0 }) => ({ text: `${adjustKind.label(kind)} ${yuan(amountCents)} 元？`, ok: "确认", danger: kind !== 1 }),
  });
  return (
    <FormDrawer form={form} title="改余额" submit="提交" onClose={onClose}>
      {memberNo === undefined ? (
        <Field of={form.field("memberNo")} label="会员号">
          {(f) => <TextInput {...f} inputMode="numeric" maxLength={10} />}
        </Field>
      ) : (
        <p className="note">会员号 {memberNo}</p>
      )}
      <Field of={form.field("storeId")} label="门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Field of={form.field("kind")} label="怎么改" help="只能加赠送；同一天加得多的和减本金，要另一人审核">
        {(f) => <Radios {...f} set={adjustKind} />}
      </Field>
      <Field of={form.field("amountCents")} label="金额">
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={form.field("reason")} label="原因">
        {(f) => <Pick {...f} set={adjustReason} />}
      </Field>
      <Field of={form.field("note")} label="说明">
        {(f) => <TextInput {...f} maxLength={100} />}
      </Field>
    </FormDrawer>
  );
}
