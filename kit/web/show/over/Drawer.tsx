import { createContext, type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { Icon } from "../icons.tsx";

/** Whether it is shown in a drawer, whose title is an h2; a page's is an h1. */
export const InDrawer = createContext(false);

/** Open drawers, the topmost last. Everything below the topmost is inert. */
const stack: HTMLElement[] = [];
function settle(): void {
  const root = document.getElementById("root");
  if (root) root.inert = stack.length > 0;
  for (const [index, drawer] of stack.entries()) drawer.inert = index < stack.length - 1;
}
const OPEN_INSIDE = ".ant-select-open,.ant-picker-dropdown:not(.ant-picker-dropdown-hidden),:popover-open:not(.toasts)";
const FIELD = "input:not([type=hidden]):not([disabled]),textarea:not([disabled]),select:not([disabled])";

/** An open list or calendar inside takes the Esc first. */
const isForDrawer = ({ key, defaultPrevented }: Pick<KeyboardEvent, "key" | "defaultPrevented">): boolean =>
  key === "Escape" && !defaultPrevented && !document.querySelector(OPEN_INSIDE);

/** What had the focus may be gone after a change. Then Esc comes from nowhere, and is still for the topmost drawer. */
function useLostEsc(panel: RefObject<HTMLDivElement | null>, onClose: () => void): void {
  const close = useRef(onClose);
  useLayoutEffect(() => {
    close.current = onClose;
  }, [onClose]);
  useLayoutEffect(() => {
    const press = (event: globalThis.KeyboardEvent): void => {
      if (event.target === document.body && panel.current && stack.at(-1) === panel.current && isForDrawer(event)) close.current();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [panel]);
}

/** Takes a drawer from the stack, where it is on it. */
function leave(own: HTMLElement): void {
  const at = stack.indexOf(own);
  if (at >= 0) stack.splice(at, 1);
  settle();
}

/** It stands over all others while it is there, with the focus inside; afterwards the focus goes back to where it was. */
function useOnTop(panel: RefObject<HTMLDivElement | null>, focusField: boolean): void {
  // It leaves in the very moment in which it goes: a key that is pressed then is for whoever is on top by then.
  useLayoutEffect(() => {
    const own = panel.current;
    return () => {
      if (own) leave(own);
    };
  }, [panel]);
  useEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    if (!own) return;
    stack.push(own);
    settle();
    const field = focusField ? own.querySelector<HTMLElement>(`.drawer-body :is(${FIELD})`) : null;
    (field ?? own).focus({ preventScroll: true });
    return () => {
      leave(own);
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [panel, focusField]);
}

/**
 * A sheet that slides over the page from the right. Esc and the cross close it, the focus goes in and comes back.
 * @param props.width 560 for forms, 880 for details; on a phone it is the whole page
 * @example <Drawer title="订单详情" onClose={list.close}>…</Drawer>
 */
export function Drawer({
  title,
  onClose,
  width = 560,
  extra,
  footer,
  focusField = false,
  children,
}: {
  title: ReactNode;
  onClose: () => void;
  width?: 560 | 880;
  /** Buttons beside the title. */
  extra?: ReactNode;
  footer?: ReactNode;
  /** Puts the focus into the first field, for forms. */
  focusField?: boolean;
  children: ReactNode;
}): ReactNode {
  const titleId = useId();
  const panel = useRef<HTMLDivElement>(null);
  useLostEsc(panel, onClose);
  useOnTop(panel, focusField);
  const press = (event: KeyboardEvent): void => {
    if (!isForDrawer(event)) return;
    event.stopPropagation();
    // A question that closing asks would take the same Esc for its own.
    event.preventDefault();
    onClose();
  };
  return createPortal(
    <div className="drawer-layer">
      <div className="drawer-mask" onClick={onClose} />
      <div
        ref={panel}
        role="dialog"
        aria-modal="true"
        aria-labelledby={titleId}
        tabIndex={-1}
        className="drawer"
        style={{ maxWidth: width }}
        onKeyDown={press}
      >
        <header className="drawer-head">
          <h2 id={titleId}>{title}</h2>
          {extra}
          <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div className="drawer-body">
          <InDrawer value>{children}</InDrawer>
        </div>
        {footer && <footer className="drawer-foot">{footer}</footer>}
      </div>
    </div>,
    document.body,
  );
}
