import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { shownWords } from "../level-names.ts";

/** `primary` is the one act of a view; `danger` only where money leaves or nothing brings it back; `link` inside rows. */
export type ButtonTone = "plain" | "primary" | "danger" | "link" | "quiet";

/**
 * A button. While `busy` it stays focused, says so, and cannot be pressed again.
 * @example <Button tone="primary" onClick={save}>保存</Button>
 */
export function Button({
  tone = "plain",
  small = false,
  busy = false,
  className = "",
  children,
  onClick,
  ref,
  ...rest
}: {
  tone?: ButtonTone;
  small?: boolean;
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
  children: ReactNode;
} & ButtonHTMLAttributes<HTMLButtonElement>): ReactNode {
  return (
    <button
      ref={ref}
      type="button"
      className={`btn btn-${tone}${small ? " btn-small" : ""} ${className}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {shownWords(children)}
    </button>
  );
}
