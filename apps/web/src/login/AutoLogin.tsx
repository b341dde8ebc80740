import { type ReactNode, useEffect, useState } from "react";
import { autoLogin } from "@zhangfang/domains/accounts/contract/sign-in.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { hashQuery } from "@zhangfang/web/window/hash-query.ts";

/** Signs in with a ticket from the address. The address is replaced at once: a ticket has no place in the history. */
export function AutoLogin({ enter }: { enter: (token: string) => void }): ReactNode {
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const query = hashQuery(ticketHash());
    const requestId = query.get("requestId");
    if (!requestId) return setFailure("登录链接不完整，请重新打开");
    call(autoLogin, {
      requestId,
      rememberMe: query.get("rememberMe") === "true",
      serviceProviderId: query.get("serviceProviderId") ?? undefined,
      businessTeamId: query.get("businessTeamId") ?? undefined,
    }).then(enter, (reason: unknown) => setFailure(reason instanceof Error && reason.message !== "" ? reason.message : "登录失败"));
  }, [enter]);
  return (
    <div className="login-auto" role="status">
      {failure === "" ? (
        <p>正在登录…</p>
      ) : (
        <>
          <p className="login-failure">{failure}</p>
          <a className="btn" href="#/login">
            使用密码登录
          </a>
        </>
      )}
    </div>
  );
}

let taken: string | undefined;
/** The address with its ticket, which from now on stands in it no more. Good once. */
function ticketHash(): string {
  if (location.hash.includes("requestId=")) {
    taken = location.hash;
    history.replaceState(null, "", "#/autoLogin");
  }
  const hash = taken ?? "";
  taken = import.meta.env.DEV ? hash : undefined;
  return hash;
}
