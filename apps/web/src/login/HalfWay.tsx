import type { ReactNode } from "react";
import { copyText } from "@zhangfang/web/copy.ts";
import { waitingReturn } from "@zhangfang/web/api/session.ts";

/** Back from WeChat's page of authorisation in a browser that is not signed in: what is left to do. Only the person who set out may finish it. */
export function HalfWay(): ReactNode {
  const back = waitingReturn();
  if (back === null || !/[?&]panel=authorised(:|%3A)/i.test(back)) return null;
  const copy = (): void =>
    void copyText(`${location.origin}/${back}`, "已复制，请到发起授权的浏览器里打开", { failed: "没有复制成功，请在这里登录" });
  return (
    <div className="login-note" role="note">
      <p>
        公众号授权还没有完成：这个浏览器没有登录。请在这里用发起授权的账号登录，或复制地址到已登录的浏览器打开。半小时内有效，只能用一次。
      </p>
      <button type="button" className="btn" onClick={copy}>
        复制地址
      </button>
    </div>
  );
}
