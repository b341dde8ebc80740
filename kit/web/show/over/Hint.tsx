import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Icon } from "../icons.tsx";
import { hangFrom } from "./Popover.tsx";

/**
 * A small ⓘ that says what a figure or a word means, on hover, focus and touch. Esc puts it away.
 * @example <Hint of="实收金额" text="顾客实际支付合计，不扣退款。" />
 */
export function Hint({ of, text }: { of: string; text: string }): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLSpanElement>(null);
  const open = (): boolean => panel.current?.matches(":popover-open") ?? false;
  const show = (): void => {
    if (open() || !button.current || !panel.current) return;
    panel.current.showPopover();
    hangFrom(button.current.getBoundingClientRect(), panel.current, "start");
  };
  const hide = (): void => {
    if (open()) panel.current?.hidePopover();
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !open()) return;
    event.preventDefault();
    hide();
  };
  return (
    <span className="hint-mark" onMouseEnter={show} onMouseLeave={hide}>
      <button
        ref={button}
        type="button"
        aria-label={`${of}的口径`}
        aria-describedby={id}
        onFocus={show}
        onBlur={hide}
        onClick={show}
        onKeyDown={press}
      >
        <Icon name="info" size={14} />
      </button>
      <span ref={panel} id={id} role="tooltip" popover="manual" className="popover hint-text">
        {text}
      </span>
    </span>
  );
}
