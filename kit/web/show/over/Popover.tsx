import { createContext, type ReactNode, useContext, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Button, type ButtonTone } from "../Button.tsx";
import { Icon } from "../icons.tsx";

/**
 * A button with a small panel that hangs from it. The browser closes it on Esc, on a press elsewhere, and gives the focus back.
 * Keep antd's selects out of it: their lists open below the top layer.
 * @example <Popover label="列设置" tone="plain">{(close) => …}</Popover>
 */
export function Popover({
  label,
  name,
  tone = "plain",
  small = false,
  align = "end",
  side = false,
  className,
  children,
}: {
  label: ReactNode;
  /** The button's name where its label is a drawing. */
  name?: string;
  tone?: ButtonTone;
  small?: boolean;
  align?: "start" | "end";
  /** Beside the button instead of below it. */
  side?: boolean;
  className?: string;
  children: (close: () => void) => ReactNode;
}): ReactNode {
  const panelId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const toggle = (): void => {
    if (!panel.current || !button.current) return;
    // The content is drawn when it is asked for, not a hundred times in a hundred rows.
    if (!open) flushSync(() => setOpen(true));
    panel.current.togglePopover();
    hangFrom(button.current.getBoundingClientRect(), panel.current, align, side);
  };
  return (
    <>
      <Button
        ref={button}
        tone={tone}
        small={small}
        aria-label={name}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={(event) => (event.stopPropagation(), toggle())}
      >
        {label}
      </Button>
      <div
        ref={panel}
        id={panelId}
        popover="auto"
        className={`popover ${className ?? ""}`}
        onToggle={(event) => event.newState === "closed" && setOpen(false)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => event.stopPropagation()}
      >
        {open && children(() => document.getElementById(panelId)?.hidePopover())}
      </div>
    </>
  );
}

/** Places a panel under a button, or over it where there is no room below. */
export function hangFrom(anchor: DOMRect, panel: HTMLElement, align: "start" | "end", side = false): void {
  const { width, height } = panel.getBoundingClientRect();
  const left = side ? anchor.right + 8 : align === "start" ? anchor.left : anchor.right - width;
  const below = side ? anchor.top : anchor.bottom + 4;
  panel.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  panel.style.top = `${below + height > innerHeight - 8 ? Math.max(8, side ? innerHeight - height - 8 : anchor.top - height - 4) : below}px`;
}

/**
 * The acts of a row beyond the first two.
 * @example <More><Button tone="quiet" onClick={…}>补打小票</Button></More>
 */
export function More({ children, label = "更多", dots = false }: { children: ReactNode; label?: string; dots?: boolean }): ReactNode {
  // All acts of a row behind one button: those that would be behind a second one stand among them.
  if (useContext(InMore)) return children;
  return (
    <Popover
      label={dots ? <Icon name="more" /> : label}
      {...(dots && { name: "操作" })}
      tone="link"
      className={dots ? "more more-dots" : "more"}
    >
      {(close) => (
        <div className="more-items" onClick={close}>
          <InMore value={dots}>{children}</InMore>
        </div>
      )}
    </Popover>
  );
}
const InMore = createContext(false);
