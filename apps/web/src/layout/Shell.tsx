import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { isDirty } from "@zhangfang/web/form/dirty.ts";
import { confirm } from "@zhangfang/web/notify.ts";
import { useNarrow } from "@zhangfang/web/use-narrow.ts";
import { documentTitle } from "../brand.ts";
import type { Loaded } from "../session/load-session.ts";
import { ActingBanner } from "./ActingBanner.tsx";
import { OfflineBar, UpdatePrompt } from "./Bars.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { Sidebar, useSidebar } from "./Sidebar.tsx";
import { addressOf, change, close, type Tab, type Tabs } from "./tabs.ts";
import { TabStrip } from "./TabStrip.tsx";
import { TopBar } from "./TopBar.tsx";
import { useTabs } from "./use-tabs.ts";
import { Views } from "./Views.tsx";

const Palette = lazy(() => import("./Palette.tsx"));
const ShortcutSheet = lazy(() => import("./ShortcutSheet.tsx"));

/** The frame around the pages: sidebar, top bar, visited tabs, and the pages themselves, kept alive. */
export function Shell(session: Loaded): ReactNode {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const narrow = useNarrow();
  const sidebar = useSidebar();
  const [tabs, setTabs] = useTabs(session);
  const [over, setOver] = useState<"palette" | "shortcuts">();
  const current = tabs.list.find((tab) => tab.key === tabs.active);

  useEffect(() => {
    document.title = documentTitle(current?.title ?? "页面不存在或无权访问", session.brand.entityName || session.brand.title);
  }, [current?.title, session.brand]);

  const goTo = useCallback((tab: Pick<Tab, "path" | "search">) => void navigate(addressOf(tab)), [navigate]);
  const settle = (next: Tabs): void => {
    setTabs(next);
    const shown = next.list.find((tab) => tab.key === next.active);
    if (next.active !== tabs.active) goTo(shown ?? { path: session.firstPage, search: "" });
  };
  const closeTabs = async (goes: (tab: Tab, index: number) => boolean): Promise<void> => {
    const unsaved = tabs.list.some((tab, index) => !tab.affix && goes(tab, index) && isDirty(tab.path));
    if (unsaved && !(await confirm("有未保存的修改，关闭后将丢失。", { ok: "关闭", cancel: "继续填写", danger: true }))) return;
    settle(close(tabs, goes));
  };
  useShortcuts({
    palette: () => setOver("palette"),
    sheet: () => setOver("shortcuts"),
    closeTab: () => void closeTabs((tab) => tab.key === tabs.active),
    reopenTab: () => {
      const last = tabs.closed.at(-1);
      if (!last) return;
      setTabs({ ...tabs, closed: tabs.closed.slice(0, -1) });
      goTo(last);
    },
    tab: (index) => {
      const tab = tabs.list[index];
      if (tab) goTo(tab);
    },
  });

  return (
    <div className={`shell${sidebar.open ? "" : " shell-closed"}`} data-device={narrow ? "mobile" : "desktop"}>
      <a className="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        跳到主要内容
      </a>
      <Sidebar
        menu={session.menu}
        brand={session.brand}
        path={pathname}
        sidebar={sidebar}
        narrow={narrow}
        addressOf={(path) => addressOf(tabs.list.find((tab) => tab.path === path) ?? { path, search: "" })}
      />
      <div className="main">
        {session.acting && <ActingBanner user={session.user} />}
        <TopBar
          session={session}
          trail={session.routes.get(pathname)?.trail ?? ["页面不存在或无权访问"]}
          onMenu={sidebar.toggle}
          menuOpen={sidebar.open}
          onSearch={() => setOver("palette")}
          narrow={narrow}
        />
        {!narrow && (
          <TabStrip
            tabs={tabs}
            go={goTo}
            close={(goes) => void closeTabs(goes)}
            reload={(tab) => setTabs(change(tabs, tab.key, { version: tab.version + 1 }))}
            pin={(tab) => setTabs(change(tabs, tab.key, { affix: !tab.affix }))}
          />
        )}
        <OfflineBar />
        <UpdatePrompt />
        <main id="main" tabIndex={-1}>
          <Views tabs={tabs} setTabs={setTabs} session={session} />
        </main>
      </div>
      <Suspense>
        {over === "palette" && <Palette routes={session.routes} onClose={() => setOver(undefined)} />}
        {over === "shortcuts" && <ShortcutSheet onClose={() => setOver(undefined)} />}
      </Suspense>
    </div>
  );
}
