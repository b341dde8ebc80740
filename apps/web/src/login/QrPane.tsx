import { type ReactNode, useCallback, useEffect, useEffectEvent, useState } from "react";
import { authorizeQrCode, createQrRequest, pollQrRequest, QR_VERIFIER_HEADER } from "@zhangfang/domains/accounts/contract/sign-in.ts";
import { ApiError, call } from "@zhangfang/web/api/api.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { QrCode } from "@zhangfang/web/show/QrCode.tsx";

interface Request {
  readonly requestId: string;
  readonly verifier: string;
  readonly matchNumber: string;
}
const POLL_MS = 1000;
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
  const [remember, setRemember] = useState(false);
  const { request, state, failure, renew } = useQrRequest(enter, remember);
  const live = state === "waiting" || state === "scanned";
  return (
    <div className="login-qr">
      <div className={live ? "login-code" : "login-code login-code-dim"}>
        {request && <QrCode text={`${location.origin}/#/qr-confirm?requestId=${request.requestId}`} label="登录二维码，请用手机扫描" />}
        {!live && state !== "loading" && (
          <Button tone="primary" onClick={renew}>
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

/** A code that is asked for, watched once a second, and exchanged for a token when the phone agrees. */
function useQrRequest(enter: (token: string) => void, remember: boolean) {
  const [request, setRequest] = useState<Request>();
  const [state, setState] = useState<State>("loading");
  const [failure, setFailure] = useState("");
  const fail = useCallback((reason: unknown): void => {
    setFailure(reason instanceof Error ? reason.message : "");
    setState("failed");
  }, []);
  const renew = useCallback((): void => {
    setState("loading");
    setRequest(undefined);
    call(createQrRequest, {}, { quiet: true }).then((made) => {
      setRequest(made);
      setState("waiting");
    }, fail);
  }, [fail]);
  useEffect(renew, [renew]);

  const exchange = useEffectEvent(async ({ requestId, verifier }: Request, signal: AbortSignal): Promise<State | undefined> => {
    const options = { quiet: true, signal, headers: { [QR_VERIFIER_HEADER]: verifier } };
    const { state: now } = await call(pollQrRequest, { requestId }, options);
    if (now !== "confirmed") return now;
    const token: string | undefined = await call(authorizeQrCode, { requestId, rememberMe: remember }, options);
    if (!token) throw new Error("登录失败");
    enter(token);
    return undefined;
  });
  const live = state === "waiting" || state === "scanned";
  useEffect(() => {
    if (!request || !live) return;
    const abort = new AbortController();
    const failed = (reason: unknown): void => {
      // A service that is away for a moment is asked again a second later.
      if (!abort.signal.aborted && !(reason instanceof ApiError && reason.away)) fail(reason);
    };
    const timer = setInterval(() => void exchange(request, abort.signal).then((now) => now && setState(now), failed), POLL_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [request, live, fail]);
  return { request, state, failure, renew };
}
