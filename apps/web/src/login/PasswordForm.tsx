import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { authenticate, getCaptcha, LOGIN_NEEDS } from "@zhangfang/domains/accounts/contract/sign-in.ts";
import { PASSWORD_MESSAGE } from "@zhangfang/contract/text.ts";
import { call } from "@zhangfang/web/api.ts";
import { ApiError } from "@zhangfang/web/api-errors.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";

interface Captcha {
  readonly captchaId: string;
  readonly image: string;
}

/** Name and password; a captcha, a second factor or a new password appear when the server asks for them. */
export function PasswordForm({ enter }: { enter: (token: string) => void }): ReactNode {
  const [needs, setNeeds] = useState<ReadonlySet<"captcha" | "totp" | "newPassword">>(new Set());
  const [captcha, setCaptcha] = useState<Captcha>();
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const newest = [...needs].at(-1);
  useEffect(() => {
    if (newest) form.current?.querySelector<HTMLInputElement>(`[name=${newest}]`)?.focus();
  }, [newest]);

  const drawCaptcha = async (): Promise<void> => setCaptcha(await call(getCaptcha, {}, { quiet: true }).catch(() => undefined));
  const refuse = async (reason: unknown): Promise<void> => {
    if (!(reason instanceof ApiError)) throw reason;
    setFailure(reason.message);
    const asked =
      reason.code === LOGIN_NEEDS.totp
        ? "totp"
        : reason.code === LOGIN_NEEDS.newPassword
          ? "newPassword"
          : reason.fields.captcha
            ? "captcha"
            : undefined;
    if (asked) setNeeds((known) => new Set([...known, asked]));
    if (asked === "captcha" || captcha) await drawCaptcha();
  };
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const given = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const username = (given.username ?? "").trim();
    if (username === "" || !given.password) return setFailure(username === "" ? "请输入用户名" : "请输入密码");
    setBusy(true);
    setFailure("");
    try {
      const { id_token } = await call(authenticate, {
        username,
        password: given.password,
        rememberMe: given.rememberMe === "on",
        ...(captcha && { captchaId: captcha.captchaId, captcha: given.captcha }),
        ...(given.totp && { totp: given.totp.trim() }),
        ...(given.newPassword && { newPassword: given.newPassword }),
      });
      enter(id_token);
    } catch (reason) {
      await refuse(reason);
    } finally {
      setBusy(false);
    }
  };
  const wrong = failure === "" ? undefined : true;
  return (
    <form ref={form} className="login-form" onSubmit={(event) => void submit(event)} noValidate>
      <label>
        用户名
        <input
          className="input"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={64}
          aria-invalid={wrong}
          aria-describedby="login-failure"
        />
      </label>
      <label>
        密码
        <input
          className="input"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={128}
          aria-invalid={wrong}
          aria-describedby="login-failure"
        />
      </label>
      {needs.has("captcha") && captcha && (
        <div className="login-captcha">
          <label>
            图形验证码
            <input className="input" name="captcha" autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={8} />
          </label>
          <button type="button" aria-label="换一张图形验证码" onClick={() => void drawCaptcha()}>
            <img src={captcha.image} alt="图形验证码" height={40} />
          </button>
        </div>
      )}
      {needs.has("totp") && (
        <label>
          动态验证码
          <input className="input num" name="totp" inputMode="numeric" autoComplete="one-time-code" maxLength={6} />
        </label>
      )}
      {needs.has("newPassword") && (
        <label>
          新密码
          <input
            className="input"
            name="newPassword"
            type="password"
            autoComplete="new-password"
            maxLength={128}
            aria-describedby="login-new"
          />
          <span id="login-new" className="note">
            {PASSWORD_MESSAGE}
          </span>
        </label>
      )}
      <label className="login-remember">
        <input type="checkbox" name="rememberMe" /> 记住我
      </label>
      <p id="login-failure" className="login-failure" role="alert">
        {failure}
      </p>
      <Button tone="primary" type="submit" busy={busy}>
        登录
      </Button>
    </form>
  );
}
