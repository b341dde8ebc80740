import { Select } from "@zhangfang/web/select/Select.tsx";
import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, NumberInput, RateInput, Switch, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { getPayoutSettings, setPayoutSettings } from "../../contract/index.ts";

type Settings = OutputOf<typeof getPayoutSettings>;
const DAYS = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"].map((label, at) => ({ label, value: at + 1 }));

/** 提现设置: by which terms is paid out, and from which account at the channel. */
export function SettingsDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const settings = useDetail(getPayoutSettings, {});
  if (settings.data) return <SettingsForm key={settings.data.version} settings={settings.data} onClose={onClose} />;
  return <WaitingDrawer title="提现设置" of={settings} onClose={onClose} />;
}

function SettingsForm({ settings, onClose }: { settings: Settings; onClose: () => void }): ReactNode {
  const { channel, setByName: _by, updatedAt: _at, ...terms } = settings;
  const form = useForm(setPayoutSettings, {
    initial: { ...terms, setChannel: false } as never,
    draft: `payouts:${settings.version}`,
    secrets: [
      "password",
      "privateKeyPem",
      "certSerial",
      "platformKeyId",
      "platformKeyPem",
      "platformCertSerial",
      "platformCertPem",
      "apiV3Key",
      "appSecret",
    ],
    done: "提现设置已保存",
    refreshes: [getPayoutSettings],
    onDone: onClose,
    ask: () => ({ text: "保存后新的提现申请按新的设置办理；已经申请的不变。", ok: "保存" }),
  });
  return (
    <FormDrawer form={form} title="提现设置" submit="保存" onClose={onClose}>
      <FormSection title="金额与手续费">
        <Field of={form.field("minCents")} label="最低提现">
          {(f) => <MoneyInput {...f} />}
        </Field>
        <Field of={form.field("feeFixedCents")} label="每笔手续费">
          {(f) => <MoneyInput {...f} />}
        </Field>
        <Field of={form.field("feeRate")} label="按金额的手续费" help="与每笔手续费相加，从提现金额中扣除">
          {(f) => <RateInput {...f} />}
        </Field>
        <Field of={form.field("freezeDays")} label="等待天数" help="分润入账多少天后可以提现；0 为入账即可提现">
          {(f) => <NumberInput {...f} unit="天" />}
        </Field>
        <Field of={form.field("unapprovedUpToCents")} label="免审额度" help="不超过这个金额的提现不用审核，直接打款；0 为全部审核">
          {(f) => <MoneyInput {...f} />}
        </Field>
      </FormSection>
      <FormSection title="提现时间">
        <Field of={form.field("weekdays")} label="可提现日">
          {(f) => (
            <Select
              id={f.id}
              mode="multiple"
              options={DAYS}
              value={f.value ? [...f.value] : []}
              onChange={(days: number[]) => f.onChange(days)}
            />
          )}
        </Field>
        <Field of={form.field("fromHour")} label="开始">
          {(f) => <NumberInput {...f} unit="时" />}
        </Field>
        <Field of={form.field("toHour")} label="结束">
          {(f) => <NumberInput {...f} unit="时" />}
        </Field>
      </FormSection>
      <Channel form={form} channel={channel} />
      <Field of={form.field("password")} label="登录密码" help="确认是你本人操作">
        {(f) => <TextInput {...f} type="password" autoComplete="current-password" maxLength={128} />}
      </Field>
    </FormDrawer>
  );
}

/** The provider's own merchant number; keys are written whole or left as they are, and never read back. */
function Channel({ form, channel }: { form: Form<typeof setPayoutSettings>; channel: Settings["channel"] }): ReactNode {
  const { platformKeyTail: key, platformCertTail: cert } = channel ?? {};
  const known = channel
    ? [
        `现为商户号 ${channel.mchId}，私钥尾号 ${channel.privateKeyTail}`,
        key && `，微信支付公钥尾号 ${key}`,
        cert && `，平台证书尾号 ${cert}`,
        !channel.hearsNews && "；未填 APIv3 密钥，打款结果靠定时查询",
        !channel.opensPage && "；未填 AppSecret，收款人不能在收款页确认",
      ]
        .filter(Boolean)
        .join("")
    : "尚未设置：只能登记银行卡打款，不能打款到微信";
  return (
    <FormSection title="微信打款账户">
      <Field of={form.field("setChannel")} label="更换账户" help={known}>
        {(f) => <Switch {...f} value={f.value === true} label="填写新的商户号和密钥" />}
      </Field>
      {form.values.setChannel === true && (
        <>
          <Field of={form.field("appId")} label="AppID">
            {(f) => <TextInput {...f} value={f.value ?? ""} maxLength={32} />}
          </Field>
          <Field of={form.field("mchId")} label="商户号">
            {(f) => <TextInput {...f} value={f.value ?? ""} inputMode="numeric" maxLength={16} />}
          </Field>
          <Field of={form.field("sceneId")} label="转账场景 ID" help="在微信支付商户平台申请；佣金报酬为 1005">
            {(f) => <TextInput {...f} value={f.value ?? ""} maxLength={36} />}
          </Field>
          <Field of={form.field("certSerial")} label="证书序列号">
            {(f) => <TextInput {...f} value={f.value ?? ""} autoComplete="off" maxLength={64} />}
          </Field>
          <Field of={form.field("privateKeyPem")} label="商户私钥">
            {(f) => <TextArea {...f} value={f.value ?? ""} maxLength={8000} rows={4} />}
          </Field>
          <Field of={form.field("platformKeyId")} label="微信支付公钥 ID" optional>
            {(f) => <TextInput {...f} value={f.value ?? ""} autoComplete="off" maxLength={71} />}
          </Field>
          <Field of={form.field("platformKeyPem")} label="微信支付公钥" optional>
            {(f) => <TextArea {...f} value={f.value ?? ""} maxLength={8000} rows={4} />}
          </Field>
          <Field
            of={form.field("platformCertSerial")}
            label="平台证书序列号"
            optional
            help="公钥和平台证书至少填一种；从平台证书更换为公钥期间，两者都要填写"
          >
            {(f) => <TextInput {...f} value={f.value ?? ""} autoComplete="off" maxLength={40} />}
          </Field>
          <Field of={form.field("platformCertPem")} label="平台证书" optional>
            {(f) => <TextArea {...f} value={f.value ?? ""} maxLength={8000} rows={4} />}
          </Field>
          <Field of={form.field("apiV3Key")} label="APIv3 密钥" optional help="用来解开打款结果通知；不填则每隔几分钟查询一次">
            {(f) => <TextInput {...f} value={f.value ?? ""} type="password" autoComplete="off" maxLength={32} />}
          </Field>
          <Field
            of={form.field("appSecret")}
            label="AppSecret"
            optional
            help="公众号的应用密钥；填写后，收款人用微信打开收款页即可确认。公众号后台须把本站域名设为 JS 接口安全域名"
          >
            {(f) => <TextInput {...f} value={f.value ?? ""} type="password" autoComplete="off" maxLength={32} />}
          </Field>
        </>
      )}
    </FormSection>
  );
}
