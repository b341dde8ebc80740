import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import type { Loaded } from "../session/load-session.ts";
import { NO_TABS, restored, type Tabs, visit } from "./tabs.ts";

/** The visited tabs: they follow the address, and come back after a reload of the same account. */
export function useTabs({ user, routes, firstPage }: Pick<Loaded, "user" | "routes" | "firstPage">): [Tabs, (tabs: Tabs) => void] {
  const { pathname, search } = useLocation();
  const key = `zhangfang_tabs:${user.login}`;
  const [tabs, setTabs] = useState<Tabs>(() => {
    const home = routes.get(firstPage);
    const before = restored(sessionStorage.getItem(key), (path) => routes.has(path));
    if (!home || before.list.some((tab) => tab.path === home.path)) return before;
    // The first page is always at hand.
    const opened = visit(NO_TABS, { ...home, search: "", affix: true });
    return { ...before, list: [...opened.list, ...before.list] };
  });
  const route = routes.get(pathname);
  const now = route ? visit(tabs, { ...route, search, affix: route.affix || pathname === firstPage }) : tabs.active === "" ? tabs : { ...tabs, active: "" };
  if (now !== tabs) setTabs(now);
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(now.list)), [key, now.list]);
  return [now, setTabs];
}
