import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { channelMode, getChannelSecret, setChannelSecret } from "../../contract/index.ts";

/** The keys of a merchant, to be written: what is left empty stays as it is. No draft keeps them. */
export function ChannelSecretDrawer({ secret, onClose }: { secret: OutputOf<typeof getChannelSecret>; onClose: () => void }): ReactNode {
  const { known, merchantId, merchantName } = secret;
  const form = useForm(setChannelSecret, {
    initial: {
      merchantId,
      mode: known?.mode ?? "direct",
      ...(known && { appId: known.appId, mchId: known.mchId, ...(known.subMchId && { subMchId: known.subMchId }) }),
    },
    draft: merchantId,
    secrets: ["apiV3Key", "appSecret", "privateKeyPem", "certSerial", "platformKeyId", "platformKeyPem"],
    done: "密钥已保存，请向渠道验证",
    refreshes: [getChannelSecret],
    onDone: onClose,
    ask: () =>
      known
        ? {
            text: `更换后「${merchantName}」的收款和退款立即改用新密钥，填错会收不了款。保存后请马上向渠道验证。`,
            ok: "更换",
            danger: true,
          }
        : undefined,
  });
  const kept = known ? "留空则保持不变" : undefined;
  const keep = { optional: known !== null, ...(kept && { help: kept }) };
  return (
    <FormDrawer
      form={form}
      title={`${known ? "更换" : "设置"}密钥 ${merchantName}`}
      submit={known ? "更换密钥" : "保存密钥"}
      onClose={onClose}
    >
      <FormSection title="商户">
        <Field of={form.field("mode")} label="接入方式">
          {(f) => <Radios {...f} set={channelMode} />}
        </Field>
        <Field of={form.field("appId")} label="AppID">
          {(f) => <TextInput {...f} maxLength={32} />}
        </Field>
        <Field of={form.field("mchId")} label={form.values.mode === "partner" ? "服务商商户号" : "商户号"}>
          {(f) => <TextInput {...f} inputMode="numeric" maxLength={16} />}
        </Field>
        {form.values.mode === "partner" && (
          <Field of={form.field("subMchId")} label="子商户号">
            {(f) => (
              <TextInput {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} inputMode="numeric" maxLength={16} />
            )}
          </Field>
        )}
      </FormSection>
      <Keys form={form} keep={keep} />
    </FormDrawer>
  );
}

/** The keys themselves. */
function Keys({
  form,
  keep,
}: {
  form: Pick<Form<typeof setChannelSecret>, "field">;
  keep: { optional: boolean; help?: string };
}): ReactNode {
  return (
    <FormSection title="密钥">
      <Field of={form.field("certSerial")} label="证书序列号" {...keep}>
        {(f) => <TextInput {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} autoComplete="off" maxLength={64} />}
      </Field>
      <Field of={form.field("apiV3Key")} label="APIv3 密钥" {...keep}>
        {(f) => <TextInput {...f} {...unseen(f)} maxLength={32} />}
      </Field>
      <Field of={form.field("privateKeyPem")} label="商户私钥" {...keep}>
        {(f) => (
          <TextArea
            {...f}
            value={f.value ?? ""}
            onChange={(text) => f.onChange(emptied(text))}
            rows={4}
            placeholder="apiclient_key.pem 的全部内容"
          />
        )}
      </Field>
      <Field of={form.field("appSecret")} label="AppSecret" optional help="公众号的应用密钥；填写后，顾客用微信扫收款码可直接付款">
        {(f) => <TextInput {...f} {...unseen(f)} maxLength={32} />}
      </Field>
      <Field of={form.field("platformKeyId")} label="微信支付公钥 ID" {...keep}>
        {(f) => (
          <TextInput
            {...f}
            value={f.value ?? ""}
            onChange={(text) => f.onChange(emptied(text))}
            placeholder="PUB_KEY_ID_…"
            autoComplete="off"
            maxLength={72}
          />
        )}
      </Field>
      <Field of={form.field("platformKeyPem")} label="微信支付公钥" {...keep}>
        {(f) => (
          <TextArea
            {...f}
            value={f.value ?? ""}
            onChange={(text) => f.onChange(emptied(text))}
            rows={4}
            placeholder="pub_key.pem 的全部内容"
          />
        )}
      </Field>
    </FormSection>
  );
}
/** A secret: dots, no offer to fill it in, and nothing where it was emptied. */
const unseen = (f: { value: string | undefined; onChange: (value: string | undefined) => void }) => ({
  value: f.value ?? "",
  onChange: (text: string | undefined) => f.onChange(emptied(text)),
  type: "password" as const,
  autoComplete: "new-password",
});
const emptied = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
