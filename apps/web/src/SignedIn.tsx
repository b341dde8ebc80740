import "virtual:antd.css";
import "@zhangfang/web/styles/list.css";
import "@zhangfang/web/styles/drawer.css";
import "@zhangfang/web/styles/form.css";
import "@zhangfang/web/styles/show.css";
import "@zhangfang/web/styles/narrow.css";
import "@zhangfang/web/styles/print.css";
import "./layout/shell.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { HashRouter } from "react-router";
import { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { answers } from "@zhangfang/web/api/cache.ts";
import { error } from "@zhangfang/web/notify.ts";
import { endSession, rememberReturn, takeReturn } from "@zhangfang/web/api/session.ts";
import { hashPath } from "@zhangfang/web/window/hash-query.ts";
import { Shell } from "./layout/Shell.tsx";
import { showFavicon } from "./brand.ts";
import { preload } from "./preload.ts";
import { entryPath } from "./session/guard.ts";
import { type Loaded, loadSession } from "./session/load-session.ts";

/** Everything behind the login: loads the session, then draws the shell around the pages. */
export default function SignedIn(): ReactNode {
  const [loaded, setLoaded] = useState<Loaded>();
  useEffect(() => {
    let wanted = true;
    loadSession().then(
      (session) => {
        if (!wanted) return;
        showFavicon(session.brand);
        const back = takeReturn();
        const asked = back ?? location.hash;
        const path = entryPath(hashPath(asked), session.firstPage);
        if (path !== hashPath(location.hash) || back) location.replace(path === hashPath(asked) ? asked : `#${path}`);
        setLoaded(session);
      },
      (failure: unknown) => {
        // A 401 has already said so and is on its way to the login page.
        if (!wanted || (failure instanceof ApiError && failure.kind === "expired")) return;
        if (!(failure instanceof ApiError && failure.toast))
          error(failure instanceof Error ? failure.message : "登录失败，请重新登录", 5000);
        rememberReturn(location.hash);
        endSession();
        location.hash = "#/login";
      },
    );
    // After the questions, so that its pieces don't stand before them in the queue.
    preload(location.hash);
    return () => void (wanted = false);
  }, []);
  return (
    <QueryClientProvider client={answers()}>
      {loaded ? (
        <HashRouter>
          <Shell {...loaded} />
        </HashRouter>
      ) : (
        <div className="page-skeleton" role="status" aria-label="正在加载" />
      )}
    </QueryClientProvider>
  );
}
