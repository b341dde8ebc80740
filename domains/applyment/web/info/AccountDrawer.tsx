import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Switch, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { getApplyment, getApplymentAccount, setApplymentAccount } from "../../contract/index.ts";

const title = "进件账户";
/** 进件账户: the provider's own merchant number as 服务商, under which applications go in. Keys are written and never read back. */
export function AccountDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const found = useDetail(getApplymentAccount, {});
  return found.data ? <AccountForm of={found.data} onClose={onClose} /> : <WaitingDrawer title={title} of={found} onClose={onClose} />;
}
const emptied = (text: string | undefined): string | undefined => text || undefined;
type Account = OutputOf<typeof getApplymentAccount>;
function AccountForm({ of, onClose }: { of: Account; onClose: () => void }): ReactNode {
  const may = useAct(setApplymentAccount);
  const { version, appId, mchId } = of;
  const form = useForm(setApplymentAccount, {
    initial: { version, appId, mchId, micro: of.micro },
    draft: String(version),
    secrets: ["privateKeyPem", "apiV3Key", "certSerial", "platformKeyId", "platformKeyPem", "platformCertSerial", "platformCertPem"],
    done: "进件账户已保存",
    refreshes: [getApplymentAccount, getApplyment],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={title} submit={may ? "保存" : "无权修改"} onClose={onClose}>
      <p className="note">
        服务商自己的微信支付商户号，进件用它提交；开好的子商户也由它签名收款。
        {of.updatedAt && ` ${of.byName} 于 ${shanghaiTime(of.updatedAt).slice(0, 16)} 修改。`}
      </p>
      <FormSection title="服务商">
        <Field of={form.field("mchId")} label="服务商商户号" help="有进件在办时不能更换">
          {(f) => <TextInput {...f} inputMode="numeric" maxLength={12} />}
        </Field>
        <Field of={form.field("appId")} label="AppID">
          {(f) => <TextInput {...f} maxLength={18} placeholder="wx…" />}
        </Field>
        <Field of={form.field("micro")} label="小微商户">
          {(f) => <Switch {...f} label="微信支付已给这个商户号开通小微进件" />}
        </Field>
      </FormSection>
      <Keys form={form} of={of} />
    </FormDrawer>
  );
}
/** Written over, or left empty to stay. */
function Keys({ form, of }: { form: Pick<Form<typeof setApplymentAccount>, "field">; of: Account }): ReactNode {
  const known = of.version > 0;
  const keep = (said: string) => (known ? { optional: true, help: `${said}，留空则保持不变` } : {});
  return (
    <>
      <FormSection title="密钥">
        <Field of={form.field("certSerial")} label="证书序列号" {...keep(`现为 **** ${of.certSerialTail}`)}>
          {(f) => (
            <TextInput {...f} value={f.value ?? ""} onChange={(text) => f.onChange(emptied(text))} autoComplete="off" maxLength={64} />
          )}
        </Field>
        <Field of={form.field("apiV3Key")} label="APIv3 密钥" {...keep("已设置")}>
          {(f) => (
            <TextInput
              {...f}
              value={f.value ?? ""}
              onChange={(text) => f.onChange(emptied(text))}
              type="password"
              autoComplete="new-password"
              maxLength={32}
            />
          )}
        </Field>
        <Field of={form.field("privateKeyPem")} label="商户私钥" {...keep(`现为 **** ${of.privateKeyTail}`)}>
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
      </FormSection>
      <FormSection title="微信支付的公钥">
        <Field
          of={form.field("platformKeyId")}
          label="微信支付公钥 ID"
          {...keep(`现有 ${of.platformKeyTails.map((tail) => `**** ${tail}`).join("、")}`)}
        >
          {(f) => (
            <TextInput
              {...f}
              value={f.value ?? ""}
              onChange={(text) => f.onChange(emptied(text))}
              placeholder="PUB_KEY_ID_…"
              maxLength={80}
            />
          )}
        </Field>
        <Field of={form.field("platformKeyPem")} label="微信支付公钥" {...(known ? { optional: true } : {})}>
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
    </>
  );
}
