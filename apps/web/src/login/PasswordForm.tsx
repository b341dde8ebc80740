import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { authenticate, getCaptcha, LOGIN_NEEDS } from "@zhangfang/domains/accounts/contract/sign-in.ts";
import { PASSWORD_MESSAGE } from "@zhangfang/contract/text.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";

interface Captcha {
  readonly captchaId: string;
  readonly image: string;
}

type Extra = "captcha" | "totp" | "newPassword";

/** What the server asks for besides the password, by what it refused with. */
function askedFor(refusal: ApiError): Extra | undefined {
  if (refusal.code === LOGIN_NEEDS.totp) return "totp";
  if (refusal.code === LOGIN_NEEDS.newPassword) return "newPassword";
  return refusal.fields.captcha ? "captcha" : undefined;
}

/** Name and password; a captcha, a second factor or a new password appear when the server asks for them. */
export function PasswordForm({ enter }: { enter: (token: string) => void }): ReactNode {
  const { needs, captcha, drawCaptcha, failure, busy, signIn } = useSignIn(enter);
  const form = useRef<HTMLFormElement>(null);
  const newest = [...needs].at(-1);
  useEffect(() => {
    if (newest) form.current?.querySelector<HTMLInputElement>(`[name=${newest}]`)?.focus();
  }, [newest]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void signIn(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
  };
  const told = { "aria-invalid": failure === "" ? undefined : true, "aria-describedby": "login-failure" } as const;
  return (
    <form ref={form} className="login-form" onSubmit={submit} noValidate>
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
          {...told}
        />
      </label>
      <label>
        密码
        <input className="input" name="password" type="password" autoComplete="current-password" maxLength={128} {...told} />
      </label>
      {needs.has("captcha") && captcha && <CaptchaField captcha={captcha} draw={drawCaptcha} />}
      {needs.has("totp") && (
        <label>
          动态验证码
          <input className="input num" name="totp" autoComplete="one-time-code" maxLength={19} placeholder="6 位数字，或一个恢复码" />
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

function CaptchaField({ captcha, draw }: { captcha: Captcha; draw: () => Promise<void> }): ReactNode {
  return (
    <div className="login-captcha">
      <label>
        图形验证码
        <input className="input" name="captcha" autoComplete="off" autoCapitalize="none" spellCheck={false} maxLength={8} />
      </label>
      <button type="button" aria-label="换一张图形验证码" onClick={() => void draw()}>
        <img src={captcha.image} alt="图形验证码" height={40} />
      </button>
    </div>
  );
}

/** One attempt after another, each with what the last one was refused for. */
function useSignIn(enter: (token: string) => void) {
  const [needs, setNeeds] = useState<ReadonlySet<Extra>>(new Set());
  const [captcha, setCaptcha] = useState<Captcha>();
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const drawCaptcha = async (): Promise<void> => setCaptcha(await call(getCaptcha, {}, { quiet: true }).catch(() => undefined));
  const refused = async (reason: unknown): Promise<void> => {
    if (!(reason instanceof ApiError)) throw reason;
    setFailure(reason.message);
    const asked = askedFor(reason);
    // A picture is good once; the new one stands before its field is given the focus.
    if (asked === "captcha" || captcha) await drawCaptcha();
    if (asked) setNeeds((known) => new Set([...known, asked]));
  };
  const signIn = async (given: Record<string, string>): Promise<void> => {
    if (busy) return;
    const username = (given.username ?? "").trim();
    if (username === "" || !given.password) return setFailure(username === "" ? "请输入用户名" : "请输入密码");
    setBusy(true);
    setFailure("");
    await call(authenticate, {
      username,
      password: given.password,
      rememberMe: given.rememberMe === "on",
      ...(captcha && { captchaId: captcha.captchaId, captcha: given.captcha }),
      ...(given.totp && { totp: given.totp.trim() }),
      ...(given.newPassword && { newPassword: given.newPassword }),
    })
      .then(({ id_token }) => enter(id_token), refused)
      .finally(() => setBusy(false));
  };
  return { needs, captcha, drawCaptcha, failure, busy, signIn };
}
