import { type ReactNode, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { KEYS } from "./shortcuts.ts";

/** The keys and what they do. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Outside the page's root, which is inert while a drawer is open.
  return createPortal(
    <dialog
      ref={dialog}
      className="ask"
      aria-labelledby="keys-title"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <h2 id="keys-title">快捷键</h2>
      <dl className="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <div className="ask-acts">
        <button type="button" className="btn" onClick={onClose}>
          关闭
        </button>
      </div>
    </dialog>,
    document.body,
  );
}
