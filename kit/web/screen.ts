import { type ComponentType, createElement, lazy, type LazyExoticComponent, type ReactNode, Suspense } from "react";

/** A screen that is loaded when somebody first opens it, or a little before, by `load`. */
export type Screen = LazyExoticComponent<ComponentType> & { readonly load: () => Promise<unknown> };

/**
 * Names a screen's component for a domain's web door.
 * @param load imports the file; the file is a chunk of its own
 * @example export const screens = { "pay-order-page": screen(() => import("./PayOrderList.tsx"), "PayOrderList") };
 */
export function screen<N extends string>(load: () => Promise<Readonly<Record<N, ComponentType>>>, name: N): Screen {
  const Screen = lazy(async () => {
    const loaded = await load();
    setTimeout(fetchParts, AHEAD_MS);
    return { default: loaded[name] };
  });
  return Object.assign(Screen, { load });
}

/** When a screen has stood for a while. */
const AHEAD_MS = 3000;
/** Parts of the screens that were opened, and nobody has needed yet. */
const ahead = new Set<() => Promise<unknown>>();

/**
 * A part of a screen that its first look does not need: a drawer, what is done with ticked rows. It comes when it is first drawn, or
 * before, when the screen has stood for a while.
 * @param load imports the file; the file is a chunk of its own
 * @example const RefundDrawer = part(() => import("./RefundDrawer.tsx"), "RefundDrawer");
 */
export function part<N extends string, P extends object>(
  load: () => Promise<Readonly<Record<N, (props: P) => ReactNode>>>,
  name: N,
): (props: P) => ReactNode {
  ahead.add(load);
  const Part = lazy(async () => ({ default: (await load())[name] as ComponentType<P> }));
  return (props) => createElement(Suspense, { fallback: null }, createElement(Part, props));
}

/** Fetches the parts that nobody has waited for; one that does not come is fetched again when it is drawn. */
function fetchParts(): void {
  for (const load of ahead) load().catch(() => {});
  ahead.clear();
}
