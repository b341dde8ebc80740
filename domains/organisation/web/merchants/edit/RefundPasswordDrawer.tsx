import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { getMerchantSettings, setRefundPassword } from "../../../contract/index.ts";

/** 退款密码: set, changed, or taken away with an empty field. It is never shown again. */
export function RefundPasswordDrawer({
  settings,
  onClose,
}: {
  settings: OutputOf<typeof getMerchantSettings>;
  onClose: () => void;
}): ReactNode {
  const { merchantId, merchantName, refundPasswordAt } = settings;
  const form = useForm(setRefundPassword, {
    initial: { merchantId, password: null },
    draft: merchantId,
    secrets: ["password"],
    done: "退款密码已更新",
    refreshes: [getMerchantSettings],
    onDone: onClose,
    ask: ({ password }) =>
      password
        ? `保存后「${merchantName}」每次在后台退款都要输入这个密码，请告知退款的同事。`
        : { text: `取消后「${merchantName}」在后台退款不再需要密码。`, ok: "取消退款密码", danger: true },
  });
  const title = refundPasswordAt ? "修改退款密码" : "设置退款密码";
  return (
    <FormDrawer form={form} title={title} submit={form.values.password || !refundPasswordAt ? "保存" : "取消退款密码"} onClose={onClose}>
      <Field
        of={form.field("password")}
        label="新的退款密码"
        help={refundPasswordAt ? "6 到 32 位；留空则取消退款密码" : "6 到 32 位字母、数字或符号"}
      >
        {(f) => (
          <TextInput
            {...f}
            value={f.value ?? ""}
            onChange={(text) => f.onChange(text === "" || text === undefined ? null : text)}
            type="password"
            autoComplete="new-password"
            maxLength={32}
          />
        )}
      </Field>
    </FormDrawer>
  );
}
