import { lazy } from "react";

/** 批量导入 as a drawer over a list; loaded when somebody opens it. */
export const ImportDrawer = lazy(async () => ({ default: (await import("./ImportDrawer.tsx")).ImportDrawer }));
