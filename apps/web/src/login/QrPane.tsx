import { type ReactNode, useEffect, useState } from "react";
import { authorizeQrCode, createQrRequest, pollQrRequest, QR_VERIFIER_HEADER } from "@zhangfang/domains/accounts/contract/sign-in.ts";
import { call } from "@zhangfang/web/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";

interface Request {
  readonly requestId: string;
  readonly verifier: string;
  readonly matchNumber: string;
}
type State = "loading" | "waiting" | "scanned" | "refused" | "expired" | "failed";

const WORDS: Readonly<Record<State, string>> = {
  loading: "正在生成二维码…",
  waiting: "请用已登录的手机扫码，并在手机上输入上方数字",
  scanned: "已扫码，请在手机上输入上方数字并确认",
  refused: "手机端已拒绝登录",
  expired: "二维码已失效",
  failed: "登录失败",
};

/**
 * Sign-in by a phone that is signed in. The code is worthless without the verifier, which never leaves this page,
 * and the phone must give the number that stands here, so that a code somebody sent along confirms nothing.
 */
export function QrPane({ enter }: { enter: (token: string) => void }): ReactNode {
  const [round, setRound] = useState(0);
  const [request, setRequest] = useState<Request>();
  const [state, setState] = useState<State>("loading");
  const [failure, setFailure] = useState("");
  const [remember, setRemember] = useState(false);

  useEffect(() => {
    const abort = new AbortController();
    setState("loading");
    setRequest(undefined);
    call(createQrRequest, {}, { quiet: true, signal: abort.signal }).then(
      (made) => {
        setRequest(made);
        setState("waiting");
      },
      () => !abort.signal.aborted && setState("failed"),
    );
    return () => abort.abort();
  }, [round]);

  const live = state === "waiting" || state === "scanned";
  useEffect(() => {
    if (!request || !live) return;
    const abort = new AbortController();
    const options = { quiet: true, signal: abort.signal, headers: { [QR_VERIFIER_HEADER]: request.verifier } };
    const ask = async (): Promise<void> => {
      const { state: now } = await call(pollQrRequest, { requestId: request.requestId }, options);
      if (now !== "confirmed") return setState(now);
      clearInterval(timer);
      enter(await call(authorizeQrCode, { requestId: request.requestId, rememberMe: remember }, options));
    };
    const timer = setInterval(() => {
      ask().catch((reason: unknown) => {
        if (abort.signal.aborted || (reason as { kind?: string }).kind === "network") return;
        setFailure(reason instanceof Error ? reason.message : "");
        setState("failed");
      });
    }, 1000);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [request, live, remember, enter]);

  return (
    <div className="login-qr">
      <div className={live ? "login-code" : "login-code login-code-dim"}>
        {request && <QrCode text={`${location.origin}/#/qr-confirm?requestId=${request.requestId}`} label="登录二维码，请用手机扫描" />}
        {!live && state !== "loading" && (
          <Button tone="primary" onClick={() => setRound(round + 1)}>
            刷新二维码
          </Button>
        )}
      </div>
      {live && request && (
        <p className="login-match">
          验证数字 <strong className="num">{request.matchNumber}</strong>
        </p>
      )}
      <p role="status">{state === "failed" && failure !== "" ? failure : WORDS[state]}</p>
      <label className="login-remember">
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} /> 记住我
      </label>
    </div>
  );
}
