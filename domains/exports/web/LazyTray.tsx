import { lazy, type ReactNode, Suspense } from "react";

const load = () => import("./ExportTray.tsx");
const ExportTray = lazy(() =>
  load().then(
    (loaded) => ({ default: loaded.ExportTray }),
    () => ({ default: () => null }),
  ),
);

/** The tray, loaded after the page around it, which must not wait for it, nor break where it does not come. */
export function LazyTray(): ReactNode {
  return (
    <Suspense fallback={null}>
      <ExportTray />
    </Suspense>
  );
}
