import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Level } from "./levels.ts";
import { BUILT_SCREENS, BUTTONS, MENU_TREE, ROOT_ONLY, type ScreenName } from "./menu-tree.ts";

/** A node of the menu, or a button of a screen. */
export interface MenuItem {
  readonly id: number;
  /** 0 for the top level. */
  readonly parentId: number;
  readonly name: string;
  readonly path: string;
  readonly type: "menu" | "page" | "button";
  /** Absent on the top level and on buttons. */
  readonly screen?: ScreenName;
  readonly icon?: string;
  readonly levels: readonly Level[];
  /** Held by root accounts alone. */
  readonly rootOnly: boolean;
}

const CODES: Readonly<Record<string, readonly Level[]>> = {
  A: ["ADMIN"],
  SP: ["SP"],
  AG: ["AG"],
  GP: ["GP"],
  TM: ["TM", "SM"],
  // A team without its salesmen, who create nothing.
  BT: ["TM"],
  MCH: ["MCH"],
  AE: ["AE"],
};
const levelsOf = (text: string): Level[] => text.split(" ").flatMap((code) => CODES[code] ?? []);
// The client drops the node with id 18 (spec.md section 2), so that no node may carry it.
const topId = (index: number): number => (index < 17 ? index + 1 : index + 2);

/** The whole table: 29 top-level entries in the fixed order, their screens, and the screens' buttons. */
export const MENU: readonly MenuItem[] = build();

function build(): MenuItem[] {
  const items: MenuItem[] = [];
  for (const [index, top] of MENU_TREE.entries()) {
    const id = topId(index);
    const screens = top.screens.map(([screen, name, path, levels, page], place): MenuItem => ({
      id: id * 100 + place + 1,
      parentId: id,
      name,
      path,
      type: page ?? "menu",
      screen,
      levels: levelsOf(levels),
      rootOnly: ROOT_ONLY.includes(path),
    }));
    items.push(
      {
        id,
        parentId: 0,
        name: top.title,
        path: top.path,
        type: "menu",
        icon: top.icon,
        levels: [...new Set(screens.flatMap((screen) => screen.levels))],
        rootOnly: screens.every((screen) => screen.rootOnly),
      },
      ...screens,
    );
  }
  for (const [path, name, levels] of BUTTONS) {
    const screen = items.find((item) => item.screen && path.startsWith(`${item.path}/`) && item.path !== "/");
    if (!screen) throw new Error(`the button ${path} has no screen`);
    const before = items.filter((item) => item.parentId === screen.id).length;
    items.push({
      id: screen.id * 100 + before + 1,
      parentId: screen.id,
      name,
      path,
      type: "button",
      levels: levelsOf(levels),
      rootOnly: ROOT_ONLY.includes(path),
    });
  }
  return items;
}

/** Whoever is asked for items: a level, whether it is the root account, and the position of a sub-account. */
export interface Holder {
  readonly level: Level;
  readonly root: boolean;
  /** The items of the position; null where there is none. */
  readonly position: readonly string[] | null;
  /** What its root account is narrowed to by somebody above; null or absent where it is not. */
  readonly granted?: readonly string[] | null;
}

/**
 * The items that an account holds: a root all of its level's, a sub-account those of them that its position names and
 * nothing without one. An AE works without a position; one narrows it. What a root was not granted, nobody under it holds.
 */
export function heldItems({ level, root, position, granted }: Holder): MenuItem[] {
  const named = position === null ? undefined : new Set(position);
  const within = granted === null || granted === undefined ? undefined : new Set(granted);
  if (!root && named === undefined && level !== "AE") return [];
  return MENU.filter((item) => {
    if (!item.levels.includes(level) || (item.rootOnly && !root)) return false;
    if (within && item.parentId !== 0 && !within.has(item.path)) return false;
    return root || named === undefined || item.parentId === 0 || named.has(item.path);
  });
}
/** The paths that open calls. */
export const heldPaths = (holder: Holder): ReadonlySet<ItemPath> =>
  new Set(
    heldItems(holder)
      .filter((item) => item.parentId !== 0)
      .map((item) => item.path as ItemPath),
  );

/** What the menu shows of the held items: screens that exist, their buttons, and the entries that have one of them. */
export function shownItems(held: readonly MenuItem[]): MenuItem[] {
  const built = new Set<string>(BUILT_SCREENS);
  const screens = held.filter((item) => item.screen && built.has(item.screen));
  const ids = new Set(screens.flatMap((item) => [item.id, item.parentId]));
  return held.filter((item) => ids.has(item.id) || (item.type === "button" && ids.has(item.parentId)));
}
