import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { Radios, RateInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { addProviderAccount, contractStart, listProviders, summariseProviders } from "../../contract/index.ts";
import { FirstPassword } from "../FirstPassword.tsx";
import { NO_QUOTAS, QuotaFields } from "./contract/QuotaFields.tsx";

type Made = OutputOf<typeof addProviderAccount>;

/** 新建服务商: the provider and its first account; then the one-time password, this once. */
export function AddProviderDrawer({ onClose, onOpen }: { onClose: () => void; onOpen: (id: string) => void }): ReactNode {
  const [made, setMade] = useState<Made>();
  if (made) return <FirstPassword made={made} what="服务商" called={made.login} onClose={onClose} onOpen={onOpen} />;
  return <AddForm onClose={onClose} onDone={setMade} />;
}

function AddForm({ onClose, onDone }: { onClose: () => void; onDone: (made: Made) => void }): ReactNode {
  const form = useForm(addProviderAccount, {
    initial: { feeRate: 380, agentRatioLimit: 100_000, quotas: NO_QUOTAS, start: "signed", contractFrom: null, contractUntil: null },
    draft: "new",
    refreshes: [listProviders, summariseProviders],
    onDone,
  });
  return (
    <FormDrawer form={form} title="新建服务商" submit="新建服务商" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="服务商名称" help="营业执照上的全称">
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("shortName")} label="简称">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("feeRate")} label="费率" help="名下新商户的默认费率">
          {(f) => <RateInput {...f} />}
        </Field>
        <Field of={form.field("agentRatioLimit")} label="代理商分润上限" help="代理商的分润比例不能高于它；已有的比例不变">
          {(f) => <RateInput {...f} />}
        </Field>
      </FormSection>
      <FormSection title="联系人与主账号">
        <Field of={form.field("contactName")} label="联系人">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("contactPhone")} label="联系电话">
          {(f) => <TextInput {...f} inputMode="tel" maxLength={13} />}
        </Field>
        <Field of={form.field("login")} label="登录名" help="服务商用它登录，建后不能修改；初始密码由系统生成">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
        </Field>
      </FormSection>
      <FormSection title="合同">
        <Field of={form.field("start")} label="合同状态" help="签约前和到期后，服务商及其下级不能登录；收银不受影响">
          {(f) => <Radios {...f} set={contractStart} />}
        </Field>
        <Field of={form.field("contractFrom")} label="生效日" optional>
          {(f) => <DayInput {...f} />}
        </Field>
        <Field of={form.field("contractUntil")} label="到期日" optional help="含当天；留空为长期">
          {(f) => <DayInput {...f} />}
        </Field>
      </FormSection>
      <QuotaFields of={form.field("quotas")} errorAt={form.errorAt} />
    </FormDrawer>
  );
}
