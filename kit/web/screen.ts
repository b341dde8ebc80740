import { type ComponentType, lazy, type LazyExoticComponent } from "react";

/** A screen that is loaded when somebody first opens it, or a little before, by `load`. */
export type Screen = LazyExoticComponent<ComponentType> & { readonly load: () => Promise<unknown> };

/**
 * Names a screen's component for a domain's web door.
 * @param load imports the file; the file is a chunk of its own
 * @example export const screens = { "pay-order-page": screen(() => import("./PayOrderList.tsx"), "PayOrderList") };
 */
export function screen<N extends string>(load: () => Promise<Readonly<Record<N, ComponentType>>>, name: N): Screen {
  return Object.assign(
    lazy(async () => ({ default: (await load())[name] })),
    { load },
  );
}
