import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { success } from "@zhangfang/web/notify.ts";
import { addRecharge, listRecharges, offlineWay, summariseRecharges } from "../contract/index.ts";

/** 收现金, 收转账: money that no channel carries. */
export function AddRechargeDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addRecharge, {
    initial: { way: 1 },
    draft: false,
    refreshes: [listRecharges, summariseRecharges],
    onDone: ({ status }) => {
      success(status === 3 ? "已提交，等另一人审核后到账" : "已到账");
      onClose();
    },
    ask: ({ amountCents = 0, way }) => ({
      text: `确认已收到${offlineWay.label(way)} ¥${yuan(amountCents)}？退的时候也只能线下退。`,
      ok: `确认收到 ¥${yuan(amountCents)}`,
    }),
  });
  return (
    <FormDrawer form={form} title="收现金或转账" submit={`确认收到 ¥${yuan(form.values.amountCents ?? 0)}`} onClose={onClose}>
      <Field of={form.field("storeId")} label="门店" help="售卡门店：以后由它承担这笔欠款">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Field of={form.field("memberNo")} label="会员号">
        {(f) => <TextInput {...f} inputMode="numeric" maxLength={10} placeholder="10 位数字" />}
      </Field>
      <Field of={form.field("way")} label="收款方式">
        {(f) => <Radios {...f} set={offlineWay} />}
      </Field>
      <Field
        of={form.field("amountCents")}
        label="充值金额"
        help="赠送按现行储值规则自动加；超过规则里的复核线要另一人审核；本金超过登记线，要先在会员详情里登记证件号"
      >
        {(f) => <MoneyInput {...f} />}
      </Field>
      <Field of={form.field("note")} label="收款说明">
        {(f) => <TextInput {...f} maxLength={100} placeholder="收据号或转账流水号" />}
      </Field>
    </FormDrawer>
  );
}
