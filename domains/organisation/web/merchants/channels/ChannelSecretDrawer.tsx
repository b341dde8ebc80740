import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection, type InputProps } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, Switch, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { channelMode, getChannelSecret, setChannelSecret } from "../../../contract/index.ts";

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
    secrets: [
      "apiV3Key",
      "appSecret",
      "privateKeyPem",
      "certSerial",
      "platformKeyId",
      "platformKeyPem",
      "platformCertSerial",
      "platformCertPem",
    ],
    done: "密钥已保存，请向通道验证",
    refreshes: [getChannelSecret],
    onDone: onClose,
    ask: () =>
      known
        ? {
            text: `更换后「${merchantName}」的收款和退款立即改用新密钥，填错会收不了款。保存后请马上向通道验证。`,
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
      <PlatformKeys form={form} known={known} />
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
    </FormSection>
  );
}
/** The channel's own two keys: for about a week it signs with either, while a merchant changes from the one to the other. */
function PlatformKeys({
  form,
  known,
}: {
  form: Pick<Form<typeof setChannelSecret>, "field">;
  known: OutputOf<typeof getChannelSecret>["known"];
}): ReactNode {
  const [keyTail, certTail] = [known?.platformKeyTail, known?.platformCertTail];
  const stays = (tail: string | null | undefined) => (tail ? { help: `现为 **** ${tail}，留空则保持不变` } : {});
  const [key, cert] = [
    { optional: Boolean(keyTail ?? certTail), ...stays(keyTail) },
    { optional: true, ...stays(certTail) },
  ];
  return (
    <FormSection title="微信支付的公钥和证书">
      <Field of={form.field("platformKeyId")} label="微信支付公钥 ID" {...key}>
        {(f) => <Line f={f} placeholder="PUB_KEY_ID_…" maxLength={64} />}
      </Field>
      <Field of={form.field("platformKeyPem")} label="微信支付公钥" {...key}>
        {(f) => <Pem f={f} placeholder="pub_key.pem 的全部内容" />}
      </Field>
      <Field of={form.field("platformCertSerial")} label="平台证书序列号" {...cert}>
        {(f) => <Line f={f} placeholder="从平台证书更换为公钥期间，两者都要填写" maxLength={40} />}
      </Field>
      <Field of={form.field("platformCertPem")} label="平台证书" {...cert}>
        {(f) => <Pem f={f} placeholder="wechatpay_….pem 的全部内容" />}
      </Field>
      {keyTail && certTail && (
        <Field
          of={form.field("dropPlatformCert")}
          label="停用平台证书"
          help="在微信支付商户平台完成更换后再停用，之后只受理公钥签名的通知和应答"
        >
          {(f) => <Switch {...f} value={f.value === true} label="更换已完成" />}
        </Field>
      )}
    </FormSection>
  );
}
type Text = InputProps<string | undefined>;
const Line = ({ f, ...more }: { f: Text; placeholder?: string; maxLength: number }): ReactNode => (
  <TextInput {...f} {...more} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} autoComplete="off" />
);
const Pem = ({ f, placeholder }: { f: Text; placeholder: string }): ReactNode => (
  <TextArea {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} rows={4} placeholder={placeholder} />
);
/** A secret: dots, no offer to fill it in, and nothing where it was emptied. */
const unseen = (f: { value: string | undefined; onChange: (value: string | undefined) => void }) => ({
  value: f.value ?? "",
  onChange: (text: string | undefined) => f.onChange(emptied(text)),
  type: "password" as const,
  autoComplete: "new-password",
});
const emptied = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
