import { useCallback, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { ofTab } from "@zhangfang/web/window/storage.ts";
import type { Loaded } from "../../session/load-session.ts";
import { NO_TABS, restored, type Tabs, visit } from "./tabs.ts";

/** Changes the tabs that there are by then. */
export type UpdateTabs = (to: (tabs: Tabs) => Tabs) => void;

/** The visited tabs: they follow the address, and come back after a reload of the same account. */
export function useTabs({ user, routes, firstPage }: Pick<Loaded, "user" | "routes" | "firstPage">): [Tabs, UpdateTabs] {
  const { pathname, search } = useLocation();
  const key = `zhangfang_tabs:${user.login}`;
  const address = pathname + search;
  const [state, setState] = useState<{ readonly tabs: Tabs; readonly address: string | undefined }>(() => ({
    tabs: opened(routes, firstPage, ofTab.getItem(key)),
    address: undefined,
  }));
  let { tabs } = state;
  // Only a new address is a visit: a tab that was just closed is still at the old one.
  if (address !== state.address) {
    const route = routes.get(pathname);
    tabs = route ? visit(tabs, { ...route, search, affix: route.affix || pathname === firstPage }) : { ...tabs, active: "" };
    setState({ tabs, address });
  }
  useEffect(() => ofTab.setItem(key, JSON.stringify(tabs.list)), [key, tabs.list]);
  const update = useCallback<UpdateTabs>((to) => setState((old) => ({ ...old, tabs: to(old.tabs) })), []);
  return [tabs, update];
}

/** What was open before the reload, with the first page always at hand. */
function opened(routes: Loaded["routes"], firstPage: string, before: string | null): Tabs {
  const home = routes.get(firstPage);
  const tabs = restored(before, (path) => routes.has(path));
  if (!home || tabs.list.some((tab) => tab.path === home.path)) return tabs;
  return { ...tabs, list: [...visit(NO_TABS, { ...home, search: "", affix: true }).list, ...tabs.list] };
}
