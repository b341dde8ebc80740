import type { ReactNode } from "react";
import { Button } from "@zhangfang/web/show/Button.tsx";

/** Another tab signed in or out: this one shows and sends nothing of the old account any more. */
export function Frozen({ why }: { why: "changed" | "ended" }): ReactNode {
  return (
    <main className="frozen">
      <div role="alert">
        <h1>{why === "changed" ? "已在其他页面登录了另一个账号" : "已在其他页面退出登录"}</h1>
        <p>为避免以错误的身份操作，本页面已停用，没有发送任何请求。</p>
      </div>
      <Button tone="primary" autoFocus onClick={() => location.reload()}>
        {why === "changed" ? "以当前账号重新加载" : "重新登录"}
      </Button>
    </main>
  );
}
