import { lazy, type ReactNode, Suspense } from "react";

const ExportTray = lazy(async () => ({ default: (await import("./ExportTray.tsx")).ExportTray }));

/** The tray, loaded after the page around it, which must not wait for it. */
export function LazyTray(): ReactNode {
  return (
    <Suspense fallback={null}>
      <ExportTray />
    </Suspense>
  );
}
