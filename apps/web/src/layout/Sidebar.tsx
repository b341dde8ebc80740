import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import { Popover } from "@zhangfang/web/show/over/Popover.tsx";
import { useTablet } from "@zhangfang/web/window/use-narrow.ts";
import type { Brand } from "../brand.ts";
import type { MenuEntry } from "../menu/build-menu.ts";
import { BrandMark } from "./BrandMark.tsx";

const COOKIE = "sidebarStatus";
/** Whether the sidebar was open: 1 open, 0 closed (spec.md section 9). Open until somebody closes it. */
export const openInCookie = (cookie: string): boolean => !/(?:^|;\s*)sidebarStatus=0(?:;|$)/.test(cookie);

export interface SidebarState {
  readonly open: boolean;
  toggle(): void;
  close(): void;
}

/** Open or closed, remembered in a cookie; it closes by itself when the page is narrower than 992 px. */
export function useSidebar(): SidebarState {
  const tablet = useTablet();
  const [open, setOpen] = useState(() => !tablet && openInCookie(document.cookie));
  useEffect(() => setOpen(!tablet && openInCookie(document.cookie)), [tablet]);
  const set = (next: boolean): void => {
    setOpen(next);
    document.cookie = `${COOKIE}=${next ? 1 : 0}; path=/; max-age=31536000; samesite=lax`;
  };
  return { open, toggle: () => set(!open), close: () => setOpen(false) };
}

interface Around {
  readonly path: string;
  readonly addressOf: (path: string) => string;
  readonly onGo: () => void;
}

/** The menu. Closed it shows the first two characters of each entry, and its screens beside it; on a phone it lies over the page. */
export function Sidebar({
  menu,
  brand,
  path,
  sidebar,
  narrow,
  addressOf,
}: {
  menu: readonly MenuEntry[];
  brand: Brand;
  path: string;
  sidebar: SidebarState;
  narrow: boolean;
  addressOf: (path: string) => string;
}): ReactNode {
  const around: Around = { path, addressOf, onGo: () => narrow && sidebar.close() };
  useEffect(() => {
    if (!narrow || !sidebar.open) return;
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Escape") sidebar.close();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [narrow, sidebar]);
  if (narrow && !sidebar.open) return null;
  const wide = sidebar.open;
  return (
    <>
      {narrow && <div className="sidebar-mask" onClick={sidebar.close} />}
      <nav className={wide ? "sidebar" : "sidebar sidebar-closed"} aria-label="主菜单">
        <BrandMark brand={brand} small={!wide} />
        <ul className="menu">
          {menu.map((entry) =>
            wide ? <Entry key={entry.id} entry={entry} {...around} /> : <ShortEntry key={entry.id} entry={entry} {...around} />,
          )}
        </ul>
      </nav>
    </>
  );
}

/** Not `scrollIntoView`: the next Tab would go on from there instead of from the top of the page. */
function showInside(line: HTMLElement | null): void {
  const box = line?.closest<HTMLElement>(".menu");
  if (!line || !box) return;
  const [inner, outer] = [line.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
}

const holds = (entry: MenuEntry, path: string): boolean => entry.path === path || entry.children.some((child) => child.path === path);

function Line({ entry, path, addressOf, onGo, title }: { entry: MenuEntry; title?: string } & Around): ReactNode {
  const line = useRef<HTMLAnchorElement>(null);
  const current = entry.path === path;
  // After the groups have opened and closed around it.
  useEffect(() => {
    if (!current) return;
    const frame = requestAnimationFrame(() => showInside(line.current));
    return () => cancelAnimationFrame(frame);
  }, [current]);
  return (
    <Link ref={line} className="menu-line" to={addressOf(entry.path)} aria-current={current ? "page" : undefined} onClick={onGo}>
      {title ?? entry.title}
    </Link>
  );
}

function Entry({ entry, ...around }: { entry: MenuEntry } & Around): ReactNode {
  const active = holds(entry, around.path);
  const [at, setAt] = useState(around.path);
  const [open, setOpen] = useState(active);
  // Wherever somebody goes, the group of that screen is open and the others are closed, those too that were opened to look.
  if (at !== around.path) {
    setAt(around.path);
    setOpen(active);
  }
  const [only, ...others] = entry.children;
  if (others.length === 0) {
    return (
      <li>
        <Line entry={only ?? entry} title={entry.title} {...around} />
      </li>
    );
  }
  return (
    <li>
      <button type="button" className="menu-line" aria-expanded={open} onClick={() => setOpen(!open)}>
        {entry.title}
        <Icon name={open ? "up" : "down"} size={12} />
      </button>
      {open && (
        <ul className="menu-inner">
          {entry.children.map((child) => (
            <li key={child.id}>
              <Line entry={child} {...around} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function ShortEntry({ entry, ...around }: { entry: MenuEntry } & Around): ReactNode {
  // The whole title, of which two characters are seen: it is read out whole.
  const title = <span className="menu-cut">{entry.title}</span>;
  const [only, ...others] = entry.children;
  if (others.length === 0) {
    const target = only ?? entry;
    return (
      <li>
        <Link
          className="menu-short"
          to={around.addressOf(target.path)}
          title={entry.title}
          aria-current={target.path === around.path ? "page" : undefined}
        >
          {title}
        </Link>
      </li>
    );
  }
  return (
    <li className={holds(entry, around.path) ? "menu-short-active" : undefined}>
      <Popover label={title} tone="quiet" align="start" side className="flyout">
        {(close) => (
          <ul onClick={close}>
            <li className="flyout-title">{entry.title}</li>
            {entry.children.map((child) => (
              <li key={child.id}>
                <Line entry={child} {...around} />
              </li>
            ))}
          </ul>
        )}
      </Popover>
    </li>
  );
}
