import { type ReactNode, useState } from "react";
import { PASSWORD_MESSAGE } from "@zhangfang/contract/text.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormBody } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { changePassword, listSessions } from "../contract/index.ts";

/** 登录密码: a new one for the old one; every other session ends. */
export function OwnPassword(): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <section className="group security-part" aria-labelledby="security-password">
      <h3 id="security-password">登录密码</h3>
      {open ? (
        <PasswordForm onClose={() => setOpen(false)} />
      ) : (
        <div>
          <Button onClick={() => setOpen(true)}>修改密码</Button>
        </div>
      )}
    </section>
  );
}

function PasswordForm({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(changePassword, {
    initial: {},
    draft: false,
    done: "密码已修改，其他设备已退出登录",
    refreshes: [listSessions],
    onDone: onClose,
  });
  return (
    <FormBody form={form}>
      <Field of={form.field("oldPassword")} label="原密码">
        {(f) => <TextInput {...f} type="password" autoComplete="current-password" maxLength={128} autoFocus />}
      </Field>
      <Field of={form.field("newPassword")} label="新密码" help={PASSWORD_MESSAGE}>
        {(f) => <TextInput {...f} type="password" autoComplete="new-password" maxLength={128} />}
      </Field>
      <div className="security-acts">
        <Button tone="primary" type="submit" busy={form.busy}>
          修改密码
        </Button>
        <Button onClick={onClose}>取消</Button>
      </div>
    </FormBody>
  );
}
