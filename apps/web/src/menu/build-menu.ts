import type { FixedEntry } from "./fixed-menu.ts";
import { type Node, openTo } from "./nodes.ts";

/** A line of the sidebar. */
export interface MenuEntry {
  readonly id: number;
  readonly title: string;
  /** Absolute; where the line leads, or its first child. */
  readonly path: string;
  readonly icon: string | undefined;
  readonly children: readonly MenuEntry[];
}

/** Dropped wherever it stands (spec.md section 2). */
const DROPPED_ID = 18;
/** Sub-account and permission settings show only to whoever has offspring. */
const OFFSPRING_PATHS = ["bypass", "jurisdiction"];

/** Pages and buttons are reached from other screens, not from the menu. */
export const withoutPages = (nodes: readonly Node[]): Node[] =>
  nodes.filter((node) => node.type === "menu").map((node) => ({ ...node, children: withoutPages(node.children) }));

/** Nodes that name roles show only to them. */
export const forRoles = (nodes: readonly Node[], roles: readonly string[]): Node[] =>
  nodes.filter((node) => openTo(node.para, roles)).map((node) => ({ ...node, children: forRoles(node.children, roles) }));

/** Sub-account and permission settings show only when the stored flag `offspring` equals true. */
export const forOffspring = (nodes: readonly Node[], offspring: boolean): Node[] =>
  offspring ? [...nodes] : nodes.filter((node) => !OFFSPRING_PATHS.includes(node.path.replace(/^\//, "").split("/")[0] ?? ""));

/** The node with id 18 is dropped. */
export const withoutDropped = (nodes: readonly Node[]): Node[] =>
  nodes.filter((node) => node.id !== DROPPED_ID).map((node) => ({ ...node, children: withoutDropped(node.children) }));

/** A top-level entry without its own path takes the first child's. */
export const withOwnPath = (nodes: readonly Node[]): Node[] =>
  nodes.map((node) => (node.path === "" ? { ...node, path: node.children[0]?.path ?? "" } : node));

/** Entries that are not in the fixed list are dropped, and the others stand in its order. */
export const inFixedOrder = (nodes: readonly Node[], fixed: readonly FixedEntry[]): Node[] =>
  fixed.flatMap((entry) => nodes.filter((node) => node.id === entry.id));

/** If a single entry remains, it is named and led like its child. */
export function singleRenamed(nodes: readonly Node[]): Node[] {
  const [only, ...others] = nodes;
  const child = only?.children[0];
  return only && child && others.length === 0 ? [{ ...only, name: child.name, path: child.path }] : [...nodes];
}

/**
 * The sidebar, by every rule of spec.md section 2 in turn. Entries whose screens are all hidden have nothing to lead to and go too.
 * @param roles the account's authorities
 * @param offspring whether the stored flag equals true
 */
export function buildMenu(nodes: readonly Node[], fixed: readonly FixedEntry[], roles: readonly string[], offspring: boolean): MenuEntry[] {
  const seen = withOwnPath(withoutDropped(forOffspring(forRoles(withoutPages(nodes), roles), offspring)));
  return singleRenamed(inFixedOrder(seen, fixed)).flatMap((node) => entryOf(node, true) ?? []);
}

function entryOf(node: Node, top: boolean): MenuEntry | undefined {
  const children = node.children.flatMap((child) => entryOf(child, false) ?? []);
  if (top && children.length === 0 && !node.path.startsWith("/")) return undefined;
  // A word like `dataCentre` leads nowhere by itself: the line leads to its first screen.
  const path = node.path.startsWith("/") && node.path !== "/" ? node.path : (children[0]?.path ?? node.path);
  return { id: node.id, title: node.para.title ?? node.name, path, icon: node.para.icon, children };
}

/**
 * Where / leads after login: to the home page of whoever has one, which is the page at that address, else to the first page
 * of the menu. The platform's menu begins with its settings, but its day begins with its figures.
 */
export function firstPage(menu: readonly MenuEntry[]): string {
  const [first] = menu;
  if (menu.some((entry) => entry.path === "/")) return "/";
  return first ? (first.children[0]?.path ?? first.path) : "/404";
}
