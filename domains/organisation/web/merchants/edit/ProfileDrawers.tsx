import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { RegionField } from "@zhangfang/web/form/RegionField.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { getMerchantProfile, setSettlementAccount, updateMerchantProfile } from "../../../contract/index.ts";
import type { Profile } from "./profile.ts";

type Text = "trade" | "address" | "servicePhone" | "licenceNo" | "contactName" | "contactPhone" | "legalPerson";

/** What the merchant may say of itself. What is personal is not brought back: an empty field leaves it as it is. */
export function ProfileDrawer({ profile, onClose }: { profile: Profile; onClose: () => void }): ReactNode {
  const known = (text: string | null) => text ?? undefined;
  const form = useForm(updateMerchantProfile, {
    initial: {
      version: profile.version,
      trade: known(profile.trade),
      province: known(profile.province),
      city: known(profile.city),
      address: known(profile.address),
      servicePhone: known(profile.servicePhone),
      licenceNo: known(profile.licenceNo),
    },
    draft: String(profile.version),
    done: "资料已保存",
    refreshes: [getMerchantProfile],
    onDone: onClose,
  });
  const text = (name: Text, label: string, more: { help?: string; placeholder?: string | null; max?: number } = {}) => (
    <Field of={form.field(name)} label={label} optional {...(more.help && { help: more.help })}>
      {(f) => (
        <TextInput
          {...f}
          value={f.value ?? ""}
          onChange={(given) => f.onChange(given === "" ? undefined : given)}
          maxLength={more.max ?? 64}
          placeholder={more.placeholder ?? ""}
        />
      )}
    </Field>
  );
  const keeps = (masked: string | null) => (masked === null ? {} : { placeholder: masked, help: "不修改请留空" });
  return (
    <FormDrawer form={form} title="修改资料" submit="保存" onClose={onClose}>
      {text("contactName", "联系人", { max: 32, ...keeps(profile.contactName) })}
      {text("contactPhone", "联系电话", { max: 13, ...keeps(profile.contactPhone) })}
      {text("servicePhone", "客服电话", { help: "顾客在账单里看到的电话" })}
      {text("trade", "行业")}
      <RegionField province={form.field("province")} city={form.field("city")} optional />
      {text("address", "地址", { max: 128 })}
      {text("licenceNo", "统一社会信用代码", { max: 18 })}
      {text("legalPerson", "法定代表人", { max: 32, ...keeps(profile.legalPerson) })}
    </FormDrawer>
  );
}

/** Where the money goes, to be written; only the last four digits come back. */
export function SettlementDrawer({ profile, onClose }: { profile: Profile; onClose: () => void }): ReactNode {
  const form = useForm(setSettlementAccount, {
    initial: { version: profile.version, ...(profile.settleBank && { bank: profile.settleBank }) },
    secrets: ["account", "holder"],
    done: "结算账户已保存",
    refreshes: [getMerchantProfile],
    onDone: onClose,
    ask: ({ bank, account = "" }) => ({
      text: `结算账户${profile.settleTail ? `由尾号 ${profile.settleTail} ` : ""}改为 ${bank} 尾号 ${account.replaceAll(/\D/g, "").slice(-4)}，以后的提现和结算打到这里。`,
      ok: "保存结算账户",
      danger: true,
    }),
  });
  return (
    <FormDrawer form={form} title={profile.settleTail ? "更换结算账户" : "填写结算账户"} submit="保存结算账户" onClose={onClose}>
      <Field of={form.field("bank")} label="开户银行">
        {(f) => <TextInput {...f} maxLength={64} placeholder="如：招商银行成都分行" />}
      </Field>
      <Field of={form.field("holder")} label="户名">
        {(f) => <TextInput {...f} autoComplete="off" maxLength={64} />}
      </Field>
      <Field of={form.field("account")} label="银行账号" help="保存后只显示后四位">
        {(f) => <TextInput {...f} inputMode="numeric" autoComplete="off" maxLength={40} />}
      </Field>
    </FormDrawer>
  );
}
