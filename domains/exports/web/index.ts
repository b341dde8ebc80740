import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";
import { registerExport, registerTray } from "@zhangfang/web/slots.ts";
import { LazyTray } from "./LazyTray.tsx";

/** The download centre; the export button of every list and the tray of the top bar come with it. */
export const screens = {
  "export-files": screen(() => import("./ExportFiles.tsx"), "ExportFiles"),
};

registerExport(lazy(async () => ({ default: (await import("./ExportDialog.tsx")).ExportDialog })));
registerTray(LazyTray);
