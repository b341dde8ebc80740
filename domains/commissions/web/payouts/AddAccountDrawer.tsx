import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { addPayoutAccount, getWithdrawalTerms, payoutMethod } from "../../contract/index.ts";

/** 添加收款账户: sealed at once, shown masked, usable after a day. */
export function AddAccountDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addPayoutAccount, {
    initial: { method: "bank" },
    draft: "account",
    secrets: ["password", "number", "holder"],
    done: "已添加，24 小时后可用",
    refreshes: [getWithdrawalTerms],
    onDone: onClose,
  });
  const bank = form.values.method !== "wechat";
  return (
    <FormDrawer form={form} title="添加收款账户" submit="添加" onClose={onClose}>
      <Field of={form.field("method")} label="方式">
        {(f) => <Radios {...f} set={payoutMethod} />}
      </Field>
      <Field
        of={form.field("number")}
        label={bank ? "银行卡号" : "微信 OpenID"}
        help={bank ? undefined : "收款人在服务商公众号下的 OpenID，由服务商提供"}
      >
        {(f) => <TextInput {...f} inputMode={bank ? "numeric" : "text"} autoComplete="off" maxLength={64} />}
      </Field>
      {bank && (
        <Field of={form.field("bankName")} label="开户银行">
          {(f) => <TextInput {...f} value={f.value ?? ""} maxLength={40} />}
        </Field>
      )}
      <Field of={form.field("holder")} label="收款人姓名" help="须与账户实名一致，否则打款会失败">
        {(f) => <TextInput {...f} autoComplete="off" maxLength={32} />}
      </Field>
      <Field of={form.field("password")} label="登录密码" help="确认是你本人操作">
        {(f) => <TextInput {...f} type="password" autoComplete="current-password" maxLength={128} />}
      </Field>
    </FormDrawer>
  );
}
