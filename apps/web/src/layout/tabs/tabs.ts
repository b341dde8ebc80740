/** One visited page. */
export interface Tab {
  readonly key: string;
  readonly path: string;
  readonly search: string;
  readonly title: string;
  /** Can't be closed. */
  readonly affix: boolean;
  /** Drawn anew each time it is shown. */
  readonly noCache: boolean;
  /** Bumped to draw it anew. */
  readonly version: number;
  /** Counts visits, to know which one was not seen for longest. */
  readonly seen: number;
}
export interface Tabs {
  readonly list: readonly Tab[];
  readonly active: string;
  readonly closed: readonly Tab[];
}
export const NO_TABS: Tabs = { list: [], active: "", closed: [] };
/** How many pages are kept; the one not seen for longest goes first. */
export const TABS_KEPT = 12;

interface Visited {
  readonly path: string;
  readonly search: string;
  readonly title: string | undefined;
  readonly page: boolean;
  readonly affix: boolean;
  readonly noCache: boolean;
}

/** One tab for each list, whatever its filter; one for each object of a page. */
export function keyOf({ path, search, page }: Pick<Visited, "path" | "search" | "page">): string {
  const id = page ? new URLSearchParams(search).get("id") : null;
  return id === null ? path : `${path}?id=${id}`;
}

/** The tabs after an address was visited; the same object where nothing changed. */
export function visit(tabs: Tabs, visited: Visited): Tabs {
  const key = keyOf(visited);
  const old = tabs.list.find((tab) => tab.key === key);
  if (old && tabs.active === key && old.search === visited.search) return tabs;
  const seen = Math.max(0, ...tabs.list.map((tab) => tab.seen)) + 1;
  if (old) return { ...tabs, active: key, list: tabs.list.map((tab) => (tab === old ? { ...tab, search: visited.search, seen } : tab)) };
  const tab: Tab = {
    key,
    path: visited.path,
    search: visited.search,
    title: visited.title ?? "no-name",
    affix: visited.affix,
    noCache: visited.noCache,
    version: 0,
    seen,
  };
  return { ...tabs, active: key, list: trimmed([...tabs.list, tab]) };
}

function trimmed(list: readonly Tab[]): readonly Tab[] {
  if (list.length <= TABS_KEPT) return list;
  const goes = list.filter((tab) => !tab.affix).toSorted((a, b) => a.seen - b.seen)[0];
  return goes ? list.filter((tab) => tab !== goes) : list;
}

/** The tabs without some of them; the affixed stay. If the shown one goes, its right neighbour is shown, else its left. */
export function close(tabs: Tabs, goes: (tab: Tab, index: number) => boolean): Tabs {
  const list = tabs.list.filter((tab, index) => tab.affix || !goes(tab, index));
  const closed = tabs.list.filter((tab) => !list.includes(tab));
  if (closed.length === 0) return tabs;
  let active = tabs.active;
  if (!list.some((tab) => tab.key === active)) {
    const at = tabs.list.findIndex((tab) => tab.key === active);
    active =
      (tabs.list.slice(at).find((tab) => list.includes(tab)) ?? tabs.list.slice(0, at).findLast((tab) => list.includes(tab)))?.key ?? "";
  }
  return { list, active, closed: [...tabs.closed, ...closed].slice(-TABS_KEPT) };
}

/** The tabs with one changed. */
export const change = (tabs: Tabs, key: string, changes: Partial<Tab>): Tabs => ({
  ...tabs,
  list: tabs.list.map((tab) => (tab.key === key ? { ...tab, ...changes } : tab)),
});

/** The address of a tab. */
export const addressOf = (tab: Pick<Tab, "path" | "search">): string => tab.path + tab.search;

/** The tabs that were open before a reload, where they are still allowed. */
export function restored(text: string | null, allowed: (path: string) => boolean): Tabs {
  try {
    const list = (JSON.parse(text ?? "[]") as Tab[]).filter((tab) => typeof tab.path === "string" && allowed(tab.path));
    return { ...NO_TABS, list: list.slice(0, TABS_KEPT) };
  } catch {
    return NO_TABS;
  }
}
