import { type Node, openTo } from "./nodes.ts";

/** A page that the signed-in account may open. */
export interface Route {
  readonly path: string;
  readonly title: string;
  /** The screen's name, or the address of an external page. */
  readonly screen?: string;
  readonly html?: string;
  readonly redirect?: string;
  /** Titles from the top of the menu down to this page. */
  readonly trail: readonly string[];
  /** A page is opened once for each object, by the `id` of its query. */
  readonly page: boolean;
  readonly affix: boolean;
  readonly noCache: boolean;
}

/**
 * The routes that the menu items open: items of type menu and page with a screen that exists, an allowed external page
 * or a redirect, filtered by the roles they name (spec.md sections 2 and 6). The first item of a path wins.
 */
export function routesOf(
  nodes: readonly Node[],
  roles: readonly string[],
  screens: ReadonlySet<string>,
  frames: readonly string[],
): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const add = (node: Node, trail: readonly string[]): void => {
    if (node.type === "button" || !openTo(node.para, roles)) return;
    const title = node.para.title ?? node.name;
    const { component, redirect } = node.para;
    const html = node.para.html === undefined ? undefined : allowedFrame(node.para.html, frames);
    const screen = component !== undefined && screens.has(component) ? component : undefined;
    if (node.path.startsWith("/") && !routes.has(node.path) && (screen !== undefined || html !== undefined || redirect !== undefined)) {
      routes.set(node.path, {
        path: node.path,
        title,
        screen,
        html,
        redirect,
        trail: [...trail, title],
        page: node.type === "page",
        affix: node.para.affix ?? false,
        noCache: node.para.noCache ?? false,
      });
    }
    for (const child of node.children) add(child, [...trail, title]);
  };
  for (const node of nodes) add(node, []);
  return routes;
}

/**
 * The address of an external page, where its origin is on the server's list; anything else (`javascript:`, another host) is no page.
 * @param frames origins such as https://help.example.cn
 */
export function allowedFrame(given: string, frames: readonly string[]): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  return url.protocol === "https:" && frames.includes(url.origin) ? url.href : undefined;
}
