import { type RefObject, useLayoutEffect } from "react";
import { letterKeysOn } from "../window/letter-keys.ts";

const BUSY = "input,textarea,select,[role=dialog],dialog,:popover-open";

/** J and K reach the rows from anywhere on the page where nobody types; `/` goes to the first field of words. */
export function useListKeys(screen: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const at = event.target;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !letterKeysOn()) return;
      if (!(at instanceof Element) || at.closest(BUSY)) return;
      const target = { "/": "input[type=search]", j: "tr[tabindex='0']", k: "tr[tabindex='0']" }[event.key];
      const found = target && screen.current?.querySelector<HTMLElement>(target);
      if (!found) return;
      event.preventDefault();
      found.focus();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [screen]);
}
