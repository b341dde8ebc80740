import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A screen that is loaded when somebody first opens it. */
export type Screen = LazyExoticComponent<ComponentType>;

/**
 * Names a screen's component for a domain's web door.
 * @param load imports the file; the file is a chunk of its own
 * @example export const screens = { "pay-order-page": screen(() => import("./PayOrderList.tsx"), "PayOrderList") };
 */
export function screen<N extends string>(load: () => Promise<Readonly<Record<N, ComponentType>>>, name: N): Screen {
  return lazy(async () => ({ default: (await load())[name] }));
}
