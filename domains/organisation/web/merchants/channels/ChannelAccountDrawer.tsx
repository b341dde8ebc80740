import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick as PickOne, Radios, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { accountForms, type AccountForm, type PayChannel } from "../../../../channels/contract.ts";
import { channelMode, getChannelAccounts, keyMode, updateChannelAccount } from "../../../contract/index.ts";

/** One account of a merchant, to be written: what is left empty stays as it is. No draft keeps keys. */
export function ChannelAccountDrawer({
  of: { merchantId, merchantName, accounts },
  channel,
  among,
  onClose,
}: {
  of: OutputOf<typeof getChannelAccounts>;
  channel: PayChannel;
  among: readonly PayChannel[];
  onClose: () => void;
}): ReactNode {
  const first = accounts.find((one) => one.channel === channel);
  const form = useForm(updateChannelAccount, {
    initial: {
      merchantId,
      channel,
      mode: first?.mode ?? "direct",
      keyMode: first?.keyMode ?? "key",
      ...(first && { merchantNo: first.merchantNo, ...(first.appNo && { appNo: first.appNo }) }),
    },
    draft: `${merchantId}:${channel}`,
    secrets: ["privateKey", "publicKey", "authToken", "appCert", "alipayCert", "rootCert"],
    done: "已保存，请向通道验证",
    refreshes: [getChannelAccounts],
    onDone: onClose,
    ask: ({ channel: code }) =>
      code !== undefined && accounts.some((one) => one.channel === code)
        ? {
            text: `更换后「${merchantName}」经${accountForms[code]?.title ?? ""}的收款和退款立即改用新密钥，填错会收不了款。保存后请马上向通道验证。`,
            ok: "更换",
            danger: true,
          }
        : undefined,
  });
  const code = form.values.channel ?? channel;
  const known = accounts.some((one) => one.channel === code);
  const words = accountForms[code];
  if (!words) return null;
  const parts = { form, words, keep: { optional: known, ...(known && { help: "留空则保持不变" }) } };
  return (
    <FormDrawer form={form} title={`${known ? "更换" : "设置"}${words.title} ${merchantName}`} submit="保存" onClose={onClose}>
      <Numbers {...parts} among={among} />
      <Keys {...parts} code={code} certified={first?.keyMode === "certificate"} />
    </FormDrawer>
  );
}

interface Parts {
  readonly form: Pick<Form<typeof updateChannelAccount>, "field" | "values">;
  readonly words: AccountForm;
  readonly keep: { optional: boolean; help?: string };
}
/** Who the merchant is there. */
function Numbers({ form, words, keep, among }: Parts & { among: readonly PayChannel[] }): ReactNode {
  const titles = labelled(Object.fromEntries(among.map((one) => [one, accountForms[one]?.title ?? ""])) as Record<PayChannel, string>);
  return (
    <FormSection title="商户">
      {among.length > 1 && (
        <Field of={form.field("channel")} label="收单机构">
          {(f) => <PickOne {...f} set={titles} />}
        </Field>
      )}
      {words.partner && (
        <Field of={form.field("mode")} label="接入方式">
          {(f) => <Radios {...f} set={channelMode} />}
        </Field>
      )}
      <Field of={form.field("merchantNo")} label={words.merchantNo} help={words.merchantNoHint}>
        {(f) => <TextInput {...f} autoComplete="off" maxLength={32} />}
      </Field>
      {words.appNo !== null && (
        <Field of={form.field("appNo")} label={words.appNo}>
          {(f) => (
            <TextInput {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} autoComplete="off" maxLength={32} />
          )}
        </Field>
      )}
      {form.values.mode === "partner" && (
        <Field of={form.field("authToken")} label="商户授权令牌" {...keep}>
          {(f) => (
            <TextInput
              {...f}
              value={f.value ?? ""}
              onChange={(text) => f.onChange(emptied(text))}
              type="password"
              autoComplete="new-password"
              maxLength={64}
              placeholder="app_auth_token"
            />
          )}
        </Field>
      )}
    </FormSection>
  );
}

/** The keys themselves. */
function Keys({ form, words, keep, code, certified }: Parts & { code: PayChannel; certified: boolean }): ReactNode {
  const placeholder = words.keys === "SM2" ? "PEM，或十六进制密钥" : "PEM，或密钥工具给出的一行 Base64";
  return (
    <FormSection title={`密钥（${words.keys === "SM2" ? "国密 SM2" : "RSA，2048 位"}）`}>
      <Field of={form.field("privateKey")} label="应用私钥" {...keep}>
        {(f) => <TextArea {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} rows={4} placeholder={placeholder} />}
      </Field>
      {code === 0 && (
        <Field of={form.field("keyMode")} label="加签方式" help="与开放平台里「接口加签方式」所选的一致">
          {(f) => <Radios {...f} set={keyMode} />}
        </Field>
      )}
      {form.values.keyMode === "certificate" ? (
        <Certificates form={form} optional={certified} />
      ) : (
        <Field of={form.field("publicKey")} label={`${words.title}公钥`} {...(certified ? {} : keep)}>
          {(f) => (
            <TextArea {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} rows={4} placeholder={placeholder} />
          )}
        </Field>
      )}
    </FormSection>
  );
}
const CERTIFICATES = [
  ["appCert", "应用公钥证书", "appCertPublicKey_<APPID>.crt 的内容，须与应用私钥是一对"],
  ["alipayCert", "支付宝公钥证书", "alipayCertPublicKey_RSA2.crt 的全部内容"],
  ["rootCert", "支付宝根证书", "alipayRootCert.crt 的全部内容"],
] as const;
/** What takes the place of the public key: the three files that the open platform gives. */
function Certificates({ form, optional }: Pick<Parts, "form"> & { optional: boolean }): ReactNode {
  return CERTIFICATES.map(([name, label, help]) => (
    <Field key={name} of={form.field(name)} label={label} optional={optional} help={optional ? `${help}；留空则保持不变` : help}>
      {(f) => (
        <TextArea
          {...f}
          value={f.value ?? ""}
          onChange={(text) => f.onChange(emptied(text))}
          rows={4}
          placeholder="-----BEGIN CERTIFICATE-----"
        />
      )}
    </Field>
  ));
}
const emptied = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
