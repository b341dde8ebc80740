import { useSyncExternalStore } from "react";

/** The address after the #, as it changes. */
export function useHash(): string {
  return useSyncExternalStore(
    (listener) => {
      addEventListener("hashchange", listener);
      addEventListener("popstate", listener);
      return () => {
        removeEventListener("hashchange", listener);
        removeEventListener("popstate", listener);
      };
    },
    () => location.hash,
  );
}
