import { useSyncExternalStore } from "react";

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
/** Narrower than 768 px: rows become cards, drawers fill the page. */
export const useNarrow = (): boolean => useMedia("(max-width: 767.98px)");
/** Narrower than 992 px: the sidebar closes (spec.md section 9). */
export const useTablet = (): boolean => useMedia("(max-width: 991.98px)");
/** The person asked for less motion. */
export const useReducedMotion = (): boolean => useMedia("(prefers-reduced-motion: reduce)");
/** The page is being printed. */
export const usePrinting = (): boolean => useMedia("print");
