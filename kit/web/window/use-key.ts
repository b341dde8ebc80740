import { type RefObject, useLayoutEffect, useRef } from "react";
import { letterKeysOn } from "./letter-keys.ts";

const TYPING = "input,textarea,select,[contenteditable]";

/**
 * A letter that presses a button while nobody is typing and the account has letters on, and only in the layer the button stands in: a drawer's letters
 * sleep while another drawer is over it. Name it with `aria-keyshortcuts` too.
 * @example const refund = useKey("r"); <Button ref={refund} aria-keyshortcuts="R" onClick={open}>退款</Button>
 */
export function useKey(key: string): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target;
      if (
        event.key.toLowerCase() !== key ||
        !letterKeysOn() ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        !(target instanceof Element) ||
        target.closest(TYPING)
      )
        return;
      const layer = button.current?.closest("[role=dialog],dialog") ?? null;
      if (
        !button.current ||
        button.current.closest("[inert]") ||
        (target !== document.body && target.closest("[role=dialog],dialog") !== layer)
      )
        return;
      event.preventDefault();
      button.current.click();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [key]);
  return button;
}
