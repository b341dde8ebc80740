import type { ReactNode } from "react";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { RateInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getProvider, listProviders, updateProvider } from "../../contract/index.ts";
import type { ProviderFacts } from "./provider-facts.ts";
import { QuotaFields } from "./contract/QuotaFields.tsx";

/** 修改服务商. What is personal is not brought back to be edited: an empty field leaves it as it is. */
export function EditProviderDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const provider = useDetail(getProvider, { id });
  if (provider.data) return <EditForm key={provider.data.version} provider={provider.data} onClose={onClose} />;
  return <WaitingDrawer of={provider} title="修改服务商" onClose={onClose} />;
}

function EditForm({ provider, onClose }: { provider: ProviderFacts; onClose: () => void }): ReactNode {
  const { id, version, name, shortName, feeRate, agentRatioLimit, quotas } = provider;
  const form = useForm(updateProvider, {
    initial: { id, version, name, shortName, feeRate, agentRatioLimit, quotas },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listProviders, getProvider],
    onDone: onClose,
  });
  const kept = (given: string | undefined) => (given === "" ? undefined : given);
  return (
    <FormDrawer form={form} title={`修改服务商 ${shortName}`} submit="保存" onClose={onClose}>
      <FormSection title="基本资料">
        <Field of={form.field("name")} label="服务商名称">
          {(f) => <TextInput {...f} maxLength={64} />}
        </Field>
        <Field of={form.field("shortName")} label="简称">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("feeRate")} label="费率" help="名下新商户的默认费率，已有商户不变">
          {(f) => <RateInput {...f} />}
        </Field>
        <Field of={form.field("agentRatioLimit")} label="代理商分润上限" help="代理商的分润比例不能高于它；已有的比例不变">
          {(f) => <RateInput {...f} />}
        </Field>
        <Field of={form.field("contactName")} label="联系人" optional help="不修改请留空">
          {(f) => (
            <TextInput {...f} onChange={(given) => f.onChange(kept(given))} placeholder={provider.contactName ?? ""} maxLength={32} />
          )}
        </Field>
        <Field of={form.field("contactPhone")} label="联系电话" optional help="不修改请留空">
          {(f) => (
            <TextInput
              {...f}
              onChange={(given) => f.onChange(kept(given))}
              placeholder={provider.contactPhone ?? ""}
              inputMode="tel"
              maxLength={13}
            />
          )}
        </Field>
      </FormSection>
      <QuotaFields
        of={form.field("quotas")}
        errorAt={form.errorAt}
        counts={{
          merchants: provider.merchantCount,
          stores: provider.storeCount,
          devices: provider.deviceCount,
          accounts: provider.accountCount,
        }}
      />
    </FormDrawer>
  );
}
