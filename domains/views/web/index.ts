import { lazy } from "react";
import { call } from "@zhangfang/web/api/api.ts";
import type { SavedView } from "@zhangfang/web/list/views/view.ts";
import { registerViews } from "@zhangfang/web/slots.ts";
import { listViews } from "../contract/index.ts";

export const screens = {};
registerViews({
  path: listViews.path,
  load: async (signal) => (await call(listViews, {}, { signal, quiet: true })).items as readonly SavedView[],
  Panel: lazy(async () => ({ default: (await import("./ViewPanel.tsx")).ViewPanel })),
});
