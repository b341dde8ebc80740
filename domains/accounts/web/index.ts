import { lazy } from "react";

/** 安全设置, from the menu of the signed-in account. */
export const SecurityDrawer = lazy(async () => ({ default: (await import("./SecurityDrawer.tsx")).SecurityDrawer }));
