import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { hashPath } from "@zhangfang/web/window/hash-query.ts";
import { Notices } from "@zhangfang/web/Notices.tsx";
import { error } from "@zhangfang/web/notify.ts";
import { rememberReturn, useSession } from "@zhangfang/web/api/session.ts";
import { LoadBoundary } from "./LoadBoundary.tsx";
import { LoginApp } from "./login/LoginApp.tsx";
import { Frozen } from "./session/Frozen.tsx";
import { guard } from "./session/guard.ts";
import { useHash } from "./use-hash.ts";

const SignedIn = lazy(() => import("./SignedIn.tsx"));
const QrConfirm = lazy(() => import("./login/QrConfirm.tsx"));

/** The page: the route guard stands here, before anything is drawn. The login page needs nothing that is loaded later. */
export function App(): ReactNode {
  const { token, frozen, generation } = useSession();
  const hash = useHash();
  const path = hashPath(hash);
  const decision = guard(path, token !== null, false);
  const to = decision.go === "to" ? decision.path : undefined;
  const expired = decision.go === "to" && decision.expired;
  useEffect(() => {
    if (to === undefined) return;
    if (expired) {
      rememberReturn(location.hash);
      error("登录已过期");
    }
    location.replace(`#${to}`);
  }, [to, expired]);

  return (
    <>
      {frozen ? (
        <Frozen why={frozen} />
      ) : decision.go === "on" ? (
        <LoginApp auto={path === "/autoLogin"} />
      ) : (
        decision.go === "load" && (
          <LoadBoundary>
            <Suspense fallback={<div className="page-skeleton" role="status" aria-label="正在加载" />}>
              {path === "/qr-confirm" ? <QrConfirm key={`${generation}${hash}`} /> : <SignedIn key={generation} />}
            </Suspense>
          </LoadBoundary>
        )
      )}
      <Notices />
    </>
  );
}
