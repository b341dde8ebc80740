import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormBody } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { endTotp, getSecurity, listSessions, startTotp } from "../contract/index.ts";
import { ConfirmTotp } from "./ConfirmTotp.tsx";
import { RecoveryCodes } from "./RecoveryCodes.tsx";

const refreshes = [getSecurity, listSessions];

/** 动态验证码: off, being set up, just switched on with its codes to keep, or on. */
export function Totp({ security }: { security: OutputOf<typeof getSecurity> }): ReactNode {
  const [open, setOpen] = useState(false);
  const [made, setMade] = useState<OutputOf<typeof startTotp>>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = (): void => {
    setOpen(false);
    setMade(undefined);
  };
  const kept = (): void => {
    setCodes(undefined);
    close();
  };
  return (
    <section className="group security-part" aria-labelledby="security-totp">
      <h3 id="security-totp">
        动态验证码 <span className={`tag security-tag tag-${security.totp ? "good" : "ended"}`}>{security.totp ? "已启用" : "未启用"}</span>
      </h3>
      {codes ? (
        <RecoveryCodes codes={codes} onKept={kept} />
      ) : made ? (
        <ConfirmTotp made={made} onCancel={close} onDone={setCodes} refreshes={refreshes} />
      ) : (
        <>
          <p className="note">
            {security.totp
              ? `登录时除密码外，还需输入手机验证器上的 6 位数字。恢复码还剩 ${security.recoveryCodesLeft} 个。`
              : "启用后，登录时除密码外，还需输入手机验证器上的 6 位数字，密码泄露也无法登录。"}
          </p>
          {!open ? (
            <div>
              <Button onClick={() => setOpen(true)}>{security.totp ? "关闭动态验证码" : "启用动态验证码"}</Button>
            </div>
          ) : security.totp ? (
            <EndTotp onClose={close} />
          ) : (
            <StartTotp onCancel={close} onMade={setMade} />
          )}
        </>
      )}
    </section>
  );
}

function StartTotp({ onMade, onCancel }: { onMade: (made: OutputOf<typeof startTotp>) => void; onCancel: () => void }): ReactNode {
  const form = useForm(startTotp, { initial: {}, draft: false, onDone: onMade });
  return (
    <FormBody form={form}>
      <Field of={form.field("password")} label="当前密码" help="确认是您本人在操作">
        {(f) => <TextInput {...f} type="password" autoComplete="current-password" maxLength={128} autoFocus />}
      </Field>
      <div className="security-acts">
        <Button tone="primary" type="submit" busy={form.busy}>
          下一步
        </Button>
        <Button onClick={onCancel}>取消</Button>
      </div>
    </FormBody>
  );
}

function EndTotp({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(endTotp, { initial: {}, draft: false, done: "已关闭动态验证码，其他设备已退出登录", refreshes, onDone: onClose });
  return (
    <FormBody form={form}>
      <Field of={form.field("password")} label="当前密码">
        {(f) => <TextInput {...f} type="password" autoComplete="current-password" maxLength={128} autoFocus />}
      </Field>
      <Field of={form.field("code")} label="动态验证码" help="验证器上的 6 位数字，或一个恢复码">
        {(f) => <TextInput {...f} className="input num" autoComplete="one-time-code" maxLength={19} />}
      </Field>
      <div className="security-acts">
        <Button tone="danger" type="submit" busy={form.busy}>
          确认关闭
        </Button>
        <Button onClick={onClose}>取消</Button>
      </div>
    </FormBody>
  );
}
