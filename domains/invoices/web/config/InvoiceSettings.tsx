import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, NumberInput, Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, Group, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { getInvoiceSettings, redFirst, setInvoiceSettings } from "../../contract/index.ts";
import { TaxRules } from "./TaxRules.tsx";

/** 开票配置: the provider's application, and what its merchants begin with. */
export function InvoiceSettingsScreen(): ReactNode {
  const found = useDetail(getInvoiceSettings, {});
  if (found.data)
    return (
      <>
        <SettingsForm key={found.data.revision} now={found.data} />
        <div className="sheet invoice-rules">
          <TaxRules kind="trade" />
        </div>
      </>
    );
  return (
    <DetailScreen title="开票配置" of={found}>
      {() => null}
    </DetailScreen>
  );
}
function SettingsForm({ now }: { now: OutputOf<typeof getInvoiceSettings> }): ReactNode {
  const mayEdit = useAct(setInvoiceSettings);
  const { revision, appKey, secretSet, active, autoLimitCents, applyDays, redFirst: first, byName, updatedAt, subjects, notifyUrl } = now;
  const form = useForm(setInvoiceSettings, {
    initial: { revision, appKey, appSecret: "", active, autoLimitCents, applyDays, redFirst: first },
    draft: String(revision),
    secrets: ["appSecret"],
    done: "已保存",
    refreshes: [getInvoiceSettings],
    ask: (values) =>
      values.active === false && active
        ? { text: `停用电子发票？${subjects} 个开票主体的新发票先排队，不再发出。`, ok: "停用", danger: true }
        : undefined,
  });
  return (
    <FormScreen form={form} title="开票配置" submit={mayEdit ? "保存" : "无权修改"}>
      <FormSection title="诺诺开放平台">
        <Field
          of={form.field("appKey")}
          label="应用 appKey"
          help="诺诺开放平台 → 应用管理；商户在诺诺授权这个应用，把 token 填到自己的开票主体"
        >
          {(f) => <TextInput {...f} maxLength={64} autoComplete="off" />}
        </Field>
        <Field
          of={form.field("appSecret")}
          label="应用密钥"
          optional={secretSet}
          help={secretSet ? "已设置，不显示；要换就填新的" : "保存后不再显示"}
        >
          {(f) => (
            <TextInput {...f} type="password" autoComplete="new-password" maxLength={128} placeholder={secretSet ? "不改就留空" : ""} />
          )}
        </Field>
        <Field of={form.field("active")} label="状态">
          {(f) => <Switch {...f} label="向诺诺发送发票" />}
        </Field>
        {secretSet && (
          <Group
            title="回调地址"
            pairs={[
              ["开票结果推送", <Copy key="url" text={notifyUrl} />],
              ["开票主体", `${subjects} 个`],
              [
                "最近修改",
                updatedAt && (
                  <span key="by">
                    {byName} · <Time at={updatedAt} />
                  </span>
                ),
              ],
            ]}
          />
        )}
      </FormSection>
      <Defaults form={form} />
    </FormScreen>
  );
}
function Defaults({ form }: { form: Form<typeof setInvoiceSettings> }): ReactNode {
  return (
    <FormSection title="新开票主体默认">
      <Field of={form.field("autoLimitCents")} label="自动开票不超过" help="不超过的普通发票马上开，超过的和专用发票等审核；填 0 全部审核">
        {(f) => <MoneyInput {...f} onChange={(cents) => f.onChange(cents as never)} />}
      </Field>
      <Field of={form.field("applyDays")} label="付款后几天内可以申请" help="最多 365 天">
        {(f) => <NumberInput {...f} unit="天" />}
      </Field>
      <Field of={form.field("redFirst")} label="退款前须红冲" help="要先红冲的，退款等红字发票开出来再退">
        {(f) => <Radios {...f} set={redFirst} />}
      </Field>
    </FormSection>
  );
}
