import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { cashierShift, getCashier, getCashiers, openCashier, summariseCashiers, updateCashier } from "../contract.ts";

/** 新建收银员. */
export function AddCashierDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(openCashier, {
    initial: { shift: 0 },
    done: "已新建收银员",
    refreshes: [getCashiers, summariseCashiers],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建收银员" submit="新建" onClose={onClose}>
      <Field of={form.field("storeId")} label="门店" help="之后换门店请用「调店」">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Facts form={form as never} />
    </FormDrawer>
  );
}

/** 修改收银员. */
export function EditCashierDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const cashier = useDetail(getCashier, { id });
  if (cashier.data) return <EditForm key={cashier.data.revision} cashier={cashier.data} onClose={onClose} />;
  return <WaitingDrawer of={cashier} title="修改收银员" onClose={onClose} />;
}
function EditForm({ cashier, onClose }: { cashier: OutputOf<typeof getCashier>; onClose: () => void }): ReactNode {
  const { id, revision, code, name, shift, payMostCents, offMostCents, refundMostCents, refundDayCents } = cashier;
  const form = useForm(updateCashier, {
    initial: { id, revision, code, name, shift, payMostCents, offMostCents, refundMostCents, refundDayCents } as never,
    draft: `${id}:${revision}`,
    done: "已保存",
    refreshes: [getCashiers, getCashier, summariseCashiers],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改收银员 ${cashier.name}`} submit="保存" onClose={onClose}>
      <Facts form={form as never} />
    </FormDrawer>
  );
}

function Facts({ form }: { form: Form<typeof openCashier> }): ReactNode {
  return (
    <>
      <Field of={form.field("code")} label="编号" help="收银机用它指明收银员，本商户内不重复">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={16} placeholder="如：C001" />}
      </Field>
      <Field of={form.field("name")} label="姓名">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} />}
      </Field>
      <Field of={form.field("shift")} label="班次">
        {(f) => <Radios {...f} value={f.value as 0} set={cashierShift} />}
      </Field>
      <Field of={form.field("payMostCents")} label="单笔收款上限" help="留空为不限；超过的收款会被拒绝">
        {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} />}
      </Field>
      <Field of={form.field("offMostCents")} label="单笔手工优惠上限" help="留空为不限，0 为不能手工优惠">
        {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} />}
      </Field>
      <Field of={form.field("refundMostCents")} label="单笔退款上限" help="留空为不限，0 为不能在收银机上退款">
        {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} />}
      </Field>
      <Field of={form.field("refundDayCents")} label="当日退款限额" help="一天里所有退款合计，留空为不限">
        {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} />}
      </Field>
    </>
  );
}
