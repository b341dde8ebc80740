import { lazy } from "react";

/** 批量导入 as a drawer over a list; loaded when somebody opens it. */
export const ImportDrawer = lazy(async () => ({ default: (await import("./ImportDrawer.tsx")).ImportDrawer }));

/** Reads a sheet in the browser; the reader is loaded when somebody chooses a file. */
export const readSheet: typeof import("./sheet/read-sheet.ts").readSheet = async (file, columns) =>
  (await import("./sheet/read-sheet.ts")).readSheet(file, columns);
