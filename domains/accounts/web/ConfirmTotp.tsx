import type { ReactNode } from "react";
import type { Endpoint, OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormBody } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";
import { confirmTotp, type startTotp } from "../contract/index.ts";

/** The secret, shown this once as a code to scan and as text to type, and the app's first code that puts it in force. */
export function ConfirmTotp({
  made,
  refreshes,
  onDone,
  onCancel,
}: {
  made: OutputOf<typeof startTotp>;
  refreshes: readonly Pick<Endpoint, "path">[];
  onDone: (codes: readonly string[]) => void;
  onCancel: () => void;
}): ReactNode {
  const form = useForm(confirmTotp, {
    initial: {},
    draft: false,
    done: "已启用动态验证码，其他设备已退出登录",
    refreshes,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <FormBody form={form}>
      <p>1. 用手机验证器（如 Microsoft Authenticator、腾讯身份验证器）扫描二维码，或手动输入密钥。密钥只显示这一次。</p>
      <div className="security-secret">
        <QrCode text={made.uri} label="动态验证码密钥的二维码" size={168} />
        <div>
          <span className="note">密钥</span>
          <Copy text={made.secret}>{made.secret.replaceAll(/(.{4})(?!$)/g, "$1 ")}</Copy>
        </div>
      </div>
      <Field of={form.field("code")} label="2. 输入验证器当前显示的 6 位数字">
        {(f) => <TextInput {...f} className="input num" inputMode="numeric" autoComplete="one-time-code" maxLength={6} autoFocus />}
      </Field>
      <div className="security-acts">
        <Button tone="primary" type="submit" busy={form.busy}>
          启用
        </Button>
        <Button onClick={onCancel}>取消</Button>
      </div>
    </FormBody>
  );
}
