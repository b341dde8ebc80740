import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act, useAct } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { getMerchantSettings, setRefundPassword, updateMerchantSettings } from "../../contract/index.ts";
import { MerchantPage } from "./MerchantPage.tsx";
import { RefundPasswordDrawer } from "./edit/RefundPasswordDrawer.tsx";
import { useMerchantChoice } from "./use-merchant-choice.tsx";

type Settings = OutputOf<typeof getMerchantSettings>;

/** 商户配置: the merchant's switches and limits. */
export function MerchantSettings(): ReactNode {
  const { input, picker, asking } = useMerchantChoice();
  const settings = useDetail(getMerchantSettings, input);
  if (settings.data)
    return <SettingsForm key={`${settings.data.merchantId}:${settings.data.version}`} settings={settings.data} picker={picker} />;
  return (
    <MerchantPage title="商户配置" picker={picker} of={settings} chosen={input !== undefined} asking={asking}>
      {() => null}
    </MerchantPage>
  );
}

function SettingsForm({ settings, picker }: { settings: Settings; picker: ReactNode }): ReactNode {
  const { merchantName, refundPasswordAt, ...initial } = settings;
  const password = usePanel("password");
  const mayEdit = useAct(updateMerchantSettings);
  const form = useForm(updateMerchantSettings, {
    initial,
    draft: `${settings.merchantId}:${settings.version}`,
    done: "配置已保存",
    refreshes: [getMerchantSettings],
    ask: (given) => {
      const changed = [
        given.refundApprovalAbove !== settings.refundApprovalAbove &&
          (given.refundApprovalAbove ? `超过 ¥${yuan(given.refundApprovalAbove)} 的退款须审批` : "所有退款不再审批"),
        given.refundDailyLimit !== settings.refundDailyLimit &&
          (given.refundDailyLimit ? `每日最多退款 ¥${yuan(given.refundDailyLimit)}` : "每日退款不再限额"),
      ].filter(Boolean);
      return changed.length > 0 ? `「${merchantName}」从下一笔退款起：${changed.join("；")}。` : undefined;
    },
  });
  return (
    <>
      <FormScreen form={form} title="商户配置" submit={mayEdit ? "保存" : "无权修改"} actions={picker}>
        <FormSection title="收银">
          <Field of={form.field("memberAtPay")} label="支付时识别会员" help="付款时按付款人带出会员卡和优惠">
            {(f) => <Switch {...f} />}
          </Field>
          <Field of={form.field("printReceipt")} label="自动打印小票">
            {(f) => <Switch {...f} />}
          </Field>
          <Field of={form.field("speaker")} label="云喇叭播报到账">
            {(f) => <Switch {...f} />}
          </Field>
          <Field of={form.field("profitSharing")} label="开启分账">
            {(f) => <Switch {...f} />}
          </Field>
        </FormSection>
        <FormSection title="退款">
          <Field of={form.field("refundApprovalAbove")} label="退款审批限额" optional help="单笔超过此金额的退款须审批，留空则不审批">
            {(f) => <MoneyInput {...f} value={f.value ?? undefined} onChange={(cents) => f.onChange((cents ?? null) as never)} />}
          </Field>
          <Field
            of={form.field("refundDailyLimit")}
            label="每日退款限额"
            optional
            help="商户所有门店当日退款合计，含收银机发起的，留空则不限"
          >
            {(f) => <MoneyInput {...f} value={f.value ?? undefined} onChange={(cents) => f.onChange((cents ?? null) as never)} />}
          </Field>
          <RefundPassword at={refundPasswordAt} onSet={() => password.open()} />
        </FormSection>
      </FormScreen>
      {password.id && <RefundPasswordDrawer settings={settings} onClose={password.close} />}
    </>
  );
}

/** Whether there is a refund password, and the way to another one. */
function RefundPassword({ at, onSet }: { at: Settings["refundPasswordAt"]; onSet: () => void }): ReactNode {
  return (
    <div className="field">
      <span className="field-label">退款密码</span>
      <p>
        {at ? (
          <>
            已设置，
            <Time at={at} />
          </>
        ) : (
          "未设置，后台退款不需要密码"
        )}{" "}
        <Act of={setRefundPassword}>
          <Button small onClick={onSet}>
            {at ? "修改或取消" : "设置"}
          </Button>
        </Act>
      </p>
    </div>
  );
}
