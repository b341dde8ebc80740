import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { closeToast, notices } from "./notify.ts";
import { Button } from "./show/Button.tsx";
import { Icon } from "./show/icons.tsx";

const ICONS = { success: "good", error: "bad", warning: "warning", info: "info" } as const;

/** Draws the messages and the question of `notify.ts`, over everything else. It stands once, at the root of the page. */
export function Notices(): ReactNode {
  const { toasts, question } = useSyncExternalStore(notices.subscribe, notices.read);
  const layer = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!question) dialog.current?.close();
    else if (dialog.current?.open === false) {
      dialog.current.showModal();
      // A modal dialog gives the focus to its first button; the act was chosen already, and Enter confirms it.
      dialog.current.querySelector<HTMLElement>(".ask-acts button:last-child")?.focus();
    }
    // Shown again, the messages come to the front of whatever else was opened since.
    if (layer.current?.matches(":popover-open")) layer.current.hidePopover();
    if (toasts.length > 0) layer.current?.showPopover();
  }, [toasts, question]);
  // Outside the page's root, which is inert while a drawer is open.
  return createPortal(
    <>
      <dialog ref={dialog} className="ask" aria-labelledby="ask-title" aria-describedby="ask-text" onClose={() => question?.answer(false)}>
        {question && (
          <>
            <h2 id="ask-title">{question.title}</h2>
            <p id="ask-text">{question.text}</p>
            <div className="ask-acts">
              <Button onClick={() => question.answer(false)}>{question.cancel}</Button>
              <Button tone={question.danger ? "danger" : "primary"} onClick={() => question.answer(true)}>
                {question.ok}
              </Button>
            </div>
          </>
        )}
      </dialog>
      <div ref={layer} popover="manual" className="toasts">
        {toasts.map((toast) => (
          <div key={toast.id} className={`toast toast-${toast.tone}`} role={toast.tone === "error" ? "alert" : "status"}>
            <Icon name={ICONS[toast.tone]} />
            <span>{toast.text}</span>
            {toast.action && (
              <Button
                tone="link"
                onClick={() => {
                  toast.action?.run();
                  closeToast(toast.id);
                }}
              >
                {toast.action.label}
              </Button>
            )}
          </div>
        ))}
      </div>
    </>,
    document.body,
  );
}
