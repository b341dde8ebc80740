import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { isDirty } from "@zhangfang/web/form/dirty.ts";
import { confirm, error } from "@zhangfang/web/notify.ts";
import { usePreference } from "@zhangfang/web/look/preferences.ts";
import { LETTER_KEYS } from "@zhangfang/web/window/letter-keys.ts";
import { useNarrow } from "@zhangfang/web/window/use-narrow.ts";
import { documentTitle } from "../brand.ts";
import { PreparingBar } from "../PreparingBar.tsx";
import type { Loaded } from "../session/load-session.ts";
import { ActingBanner } from "./ActingBanner.tsx";
import { ContractBanner, OfflineBar, UpdatePrompt } from "./Bars.tsx";
import { useShortcuts } from "./palette/shortcuts.ts";
import { Sidebar, useSidebar } from "./Sidebar.tsx";
import { addressOf, change, close, type Tab } from "./tabs/tabs.ts";
import { UnreadyBar } from "./UnreadyBar.tsx";
import { TabStrip } from "./tabs/TabStrip.tsx";
import { TopBar } from "./TopBar.tsx";
import { useTabs } from "./tabs/use-tabs.ts";
import { Views } from "./tabs/Views.tsx";

const LOST = "页面不存在或无权访问";
const loadPalette = () => import("./palette/Palette.tsx");
const Palette = lazy(loadPalette);
/** After the first page has come. */
const PALETTE_AFTER_MS = 3000;
const loadSheet = () => import("./palette/ShortcutSheet.tsx");
const ShortcutSheet = lazy(loadSheet);

/** The frame around the pages: sidebar, top bar, visited tabs, and the pages themselves, kept alive. */
export function Shell(session: Loaded): ReactNode {
  const { pathname } = useLocation();
  const narrow = useNarrow();
  const sidebar = useSidebar();
  const { over, open, shut } = useOver();
  const { tabs, update, go, close: closeTabs, reopen, addressFor } = useTabActs(session);
  const title = tabs.list.find((tab) => tab.key === tabs.active)?.title ?? LOST;
  const { brand } = session;
  useEffect(() => {
    document.title = documentTitle(title, brand.entityName || brand.title);
  }, [title, brand]);
  // Another device may have turned the single keys off.
  usePreference<boolean>(LETTER_KEYS);
  useShortcuts({
    palette: () => open("palette"),
    sheet: () => open("shortcuts"),
    closeTab: () => closeTabs((tab) => tab.key === tabs.active),
    reopenTab: reopen,
    tab: (index) => {
      const tab = tabs.list[index];
      if (tab) go(tab);
    },
  });
  const trail = session.routes.get(pathname)?.trail ?? [LOST];
  return (
    <div className={`shell${sidebar.open ? "" : " shell-closed"}`} data-device={narrow ? "mobile" : "desktop"}>
      <SkipLink />
      <Sidebar menu={session.menu} brand={brand} path={pathname} sidebar={sidebar} narrow={narrow} addressOf={addressFor} />
      <div className="main">
        {session.acting && <ActingBanner user={session.user} />}
        {session.contractEnds && <ContractBanner {...session.contractEnds} />}
        <TopBar
          session={session}
          trail={trail}
          onMenu={sidebar.toggle}
          menuOpen={sidebar.open}
          onSearch={() => open("palette")}
          onKeys={() => open("shortcuts")}
          narrow={narrow}
        />
        {!narrow && (
          <TabStrip
            tabs={tabs}
            go={go}
            close={closeTabs}
            reload={(tab) => update((now) => change(now, tab.key, { version: tab.version + 1 }))}
            pin={(tab) => update((now) => change(now, tab.key, { affix: !tab.affix }))}
          />
        )}
        <PreparingBar percent={session.preparing}>{RELOAD}</PreparingBar>
        {session.user.level === "ADMIN" && <UnreadyBar />}
        <OfflineBar />
        <UpdatePrompt />
        <main id="main" tabIndex={-1}>
          <Views tabs={tabs} update={update} session={session} />
        </main>
      </div>
      <Suspense>
        {over === "palette" && <Palette routes={session.routes} addressFor={addressFor} onClose={() => shut("palette")} />}
        {over === "shortcuts" && <ShortcutSheet onClose={() => shut("shortcuts")} />}
      </Suspense>
    </div>
  );
}

type Over = "palette" | "shortcuts";
/** What lies over the page, whose parts come when they are asked for. */
function useOver() {
  const [over, setOver] = useState<Over>();
  useEffect(() => {
    // It is at hand when somebody types right after its key.
    const idle = setTimeout(() => loadPalette().catch(() => {}), PALETTE_AFTER_MS);
    return () => clearTimeout(idle);
  }, []);
  return {
    over,
    open: (what: Over): void =>
      void (what === "palette" ? loadPalette : loadSheet)().then(
        () => setOver(what),
        () => error("没有加载成功，请检查网络后重试"),
      ),
    // Only its own: a dialog tells that it closed a moment later, when the other one may already be open.
    shut: (what: Over): void => setOver((now) => (now === what ? undefined : now)),
  };
}

const RELOAD = (
  <button type="button" className="link" onClick={() => location.reload()}>
    刷新查看全部
  </button>
);

function SkipLink(): ReactNode {
  return (
    <a className="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
      跳到主要内容
    </a>
  );
}

/** The visited tabs, and what is done with them: closing asks before unsaved changes are lost. */
function useTabActs(session: Loaded) {
  const navigate = useNavigate();
  const [tabs, update] = useTabs(session);
  const go = (tab: Pick<Tab, "path" | "search">): void => void navigate(addressOf(tab));
  const closeNow = async (goes: (tab: Tab, index: number) => boolean): Promise<void> => {
    const unsaved = tabs.list.some((tab, index) => !tab.affix && goes(tab, index) && isDirty(tab.path));
    if (unsaved && !(await confirm("有未保存的修改，关闭后将丢失。", { ok: "关闭", cancel: "继续填写", danger: true }))) return;
    const next = close(tabs, goes);
    update(() => next);
    if (next.active !== tabs.active) go(next.list.find((tab) => tab.key === next.active) ?? { path: session.firstPage, search: "" });
  };
  return {
    tabs,
    update,
    go,
    close: (goes: (tab: Tab, index: number) => boolean): void => void closeNow(goes),
    reopen: (): void => {
      const last = tabs.closed.at(-1);
      if (!last) return;
      update((now) => ({ ...now, closed: now.closed.slice(0, -1) }));
      go(last);
    },
    /** Where a screen of the menu is: as it was left, where it is open. */
    addressFor: (path: string): string => addressOf(tabs.list.find((tab) => tab.path === path) ?? { path, search: "" }),
  };
}
