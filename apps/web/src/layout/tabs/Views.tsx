import { Activity, memo, type ReactNode, Suspense, useCallback, useLayoutEffect, useRef } from "react";
import { Navigate, Route, Routes } from "react-router";
import { ScreenTitle } from "@zhangfang/web/screen-title.tsx";
import type { Route as MenuRoute } from "../../menu/routes.ts";
import { screens } from "../../screens.ts";
import type { Loaded } from "../../session/load-session.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { ExternalPage } from "../ExternalPage.tsx";
import { NotFound } from "../NotFound.tsx";
import { change, type Tabs } from "./tabs.ts";
import type { UpdateTabs } from "./use-tabs.ts";

/**
 * The visited pages, each with the address it was left at. Only one is seen; the others are kept alive
 * with their input and their place, without effects, so that they ask nothing.
 */
export function Views({ tabs, update, session }: { tabs: Tabs; update: UpdateTabs; session: Loaded }): ReactNode {
  const setTitle = useCallback(
    (key: string, title: string) =>
      update((now) => (now.list.some((tab) => tab.key === key && tab.title !== title) ? change(now, key, { title }) : now)),
    [update],
  );
  return (
    <>
      {tabs.list.map((tab) => {
        const route = session.routes.get(tab.path);
        const shown = tab.key === tabs.active;
        if (!route || (tab.noCache && !shown)) return null;
        return (
          <Activity key={`${tab.key}#${tab.version}`} mode={shown ? "visible" : "hidden"}>
            <View tabKey={tab.key} path={tab.path} search={tab.search} route={route} setTitle={setTitle} />
          </Activity>
        );
      })}
      {tabs.active === "" && <Lost />}
    </>
  );
}

const View = memo(function View({
  tabKey,
  path,
  search,
  route,
  setTitle,
}: {
  tabKey: string;
  path: string;
  search: string;
  route: MenuRoute;
  setTitle: (key: string, title: string) => void;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const place = useRef(0);
  const title = useCallback((text: string) => setTitle(tabKey, text), [tabKey, setTitle]);
  useLayoutEffect(() => {
    // A hidden box forgets how far it was scrolled. Setting even 0 would lay the page out before its time.
    if (box.current && place.current > 0) box.current.scrollTop = place.current;
  }, []);
  return (
    <div
      ref={box}
      className="view"
      onScroll={(event) => event.currentTarget === event.target && (place.current = event.currentTarget.scrollTop)}
    >
      <ScreenTitle value={title}>
        <ErrorBoundary>
          <Suspense fallback={<div className="view-skeleton" role="status" aria-label="正在加载" />}>
            <Routes location={{ pathname: path, search, hash: "", state: null, key: tabKey }}>
              <Route path="*" element={<Page route={route} />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </ScreenTitle>
    </div>
  );
});

function Page({ route }: { route: MenuRoute }): ReactNode {
  if (route.html !== undefined) return <ExternalPage title={route.title} address={route.html} />;
  const Screen = screens[route.screen as keyof typeof screens];
  if (Screen) return <Screen />;
  return route.redirect !== undefined ? <Navigate to={route.redirect} replace /> : <NotFound />;
}

/** Any unknown path goes to /404, which stands inside the layout. */
function Lost(): ReactNode {
  return (
    <Routes>
      <Route path="/404" element={<NotFound />} />
      <Route path="*" element={<Navigate to="/404" replace />} />
    </Routes>
  );
}
