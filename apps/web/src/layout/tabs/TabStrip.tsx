import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { hangFrom } from "@zhangfang/web/show/over/Popover.tsx";
import { addressOf, type Tab, type Tabs } from "./tabs.ts";

interface Acts {
  go(tab: Tab): void;
  close(goes: (tab: Tab, index: number) => boolean): void;
  reload(tab: Tab): void;
  pin(tab: Tab): void;
}

/** The visited pages. Middle click closes one, the right button (or Shift+F10) opens its menu, the wheel scrolls. */
export function TabStrip({ tabs, ...acts }: { tabs: Tabs } & Acts): ReactNode {
  const [menu, setMenu] = useState<{ tab: Tab; at: DOMRect }>();
  const strip = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // After the page is seen: asking where a tab is lays everything out, at once.
    let timer: number | undefined;
    const frame = requestAnimationFrame(() => {
      timer = window.setTimeout(() => {
        showTab(strip.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(tabs.active)}"]`));
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [tabs]);
  const openMenu = (event: MouseEvent | KeyboardEvent, tab: Tab): void => {
    event.preventDefault();
    const at =
      "clientX" in event && event.clientX > 0
        ? new DOMRect(event.clientX, event.clientY, 0, 0)
        : event.currentTarget.getBoundingClientRect();
    setMenu({ tab, at });
  };
  return (
    <nav aria-label="已打开的页面" className="tabs">
      <ul ref={strip} onWheel={(event) => strip.current?.scrollBy({ left: event.deltaY })}>
        {tabs.list.map((tab) => (
          <li
            key={tab.key}
            data-key={tab.key}
            className={tab.key === tabs.active ? "tab tab-active" : "tab"}
            onContextMenu={(event) => openMenu(event, tab)}
            onAuxClick={(event) => event.button === 1 && acts.close((other) => other === tab)}
            onMouseDown={(event) => event.button === 1 && event.preventDefault()}
          >
            <a
              href={`#${addressOf(tab)}`}
              aria-current={tab.key === tabs.active ? "page" : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                acts.go(tab);
              }}
              onKeyDown={(event) => (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) && openMenu(event, tab)}
            >
              {tab.affix && <Icon name="pin" size={12} />}
              {tab.title}
            </a>
            {!tab.affix && (
              <button type="button" aria-label={`关闭 ${tab.title}`} onClick={() => acts.close((other) => other === tab)}>
                <Icon name="close" size={12} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {menu && <TabMenu key={menu.tab.key} tabs={tabs} tab={menu.tab} at={menu.at} {...acts} onDone={() => setMenu(undefined)} />}
    </nav>
  );
}

/** Only as far as needed. scrollIntoView would also let the next Tab key begin there, past the link to the content. */
function showTab(tab: HTMLElement | null | undefined): void {
  const strip = tab?.parentElement;
  if (!tab || !strip) return;
  const [shown, box] = [strip.getBoundingClientRect(), tab.getBoundingClientRect()];
  strip.scrollLeft += Math.max(0, box.right - shown.right) - Math.max(0, shown.left - box.left);
}

function TabMenu({ tabs, tab, at, onDone, ...acts }: { tabs: Tabs; tab: Tab; at: DOMRect; onDone: () => void } & Acts): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const place = tabs.list.findIndex((one) => one.key === tab.key);
  useEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    if (!own) return;
    own.showPopover();
    hangFrom(at, own, "start");
    own.querySelector<HTMLElement>("[role=menuitem]:not(:disabled)")?.focus();
    return () => {
      // Whoever pressed elsewhere stays there.
      if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
    };
    // Placed once, where it was asked for.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const walk = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === "Escape") {
      event.stopPropagation();
      onDone();
    }
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)")];
    const now = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };
  const item = (label: string, run: () => void, enabled = true): ReactNode => (
    <button
      type="button"
      role="menuitem"
      className="btn btn-quiet"
      disabled={!enabled}
      onClick={() => {
        onDone();
        run();
      }}
    >
      {label}
    </button>
  );
  // Closed by itself when the focus leaves: a popover of the browser's would close at once, where the right button goes up beside it.
  return (
    <div
      ref={panel}
      popover="manual"
      role="menu"
      aria-label={`${tab.title}的页签菜单`}
      className="popover more"
      onKeyDown={walk}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || onDone()}
    >
      {item("重新加载", () => acts.reload(tab))}
      {item("关闭", () => acts.close((one) => one.key === tab.key), !tab.affix)}
      {item(tab.affix ? "取消固定" : "固定", () => acts.pin(tab))}
      {item("关闭左侧", () => acts.close((_one, index) => index < place), place > 0)}
      {item("关闭右侧", () => acts.close((_one, index) => index > place), place < tabs.list.length - 1)}
      {item("关闭其它", () => acts.close((one) => one.key !== tab.key), tabs.list.length > 1)}
      {item("关闭全部", () => acts.close(() => true))}
      {/* Without noopener the new tab would inherit the count of page loads and could be logged out for it. */}
      {item("新窗口打开", () => void window.open(`#${addressOf(tab)}`, "_blank", "noopener"))}
    </div>
  );
}
