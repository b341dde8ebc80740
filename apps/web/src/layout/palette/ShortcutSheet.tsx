import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { usePreference } from "@zhangfang/web/look/preferences.ts";
import { LETTER_KEYS } from "@zhangfang/web/window/letter-keys.ts";
import { type KeyLine, KEYS } from "./shortcuts.ts";

/** The keys of the screen and of the frame, what they do, and the switch that turns the single ones off. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [here] = useState(keysHere);
  const [letters = true, setLetters] = usePreference<boolean>(LETTER_KEYS);
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
      {here.length > 0 && <Lines title="本页" lines={here} />}
      <Lines title="所有页面" lines={KEYS} />
      <label className="keys-switch">
        <input type="checkbox" checked={letters} onChange={(event) => setLetters(event.target.checked)} />
        启用单键快捷键（J、K、R、E、/、? 等）
      </label>
      <p className="note">关闭后，可从右上角账号菜单再次打开本页；带 Ctrl、⌘、Alt 的组合键不受影响。</p>
      <div className="ask-acts">
        <button type="button" className="btn" onClick={onClose}>
          关闭
        </button>
      </div>
    </dialog>,
    document.body,
  );
}

function Lines({ title, lines }: { title: string; lines: readonly KeyLine[] }): ReactNode {
  return (
    <>
      <h3>{title}</h3>
      <dl className="keys">
        {lines.map(([keys, what]) => (
          <div key={keys}>
            <dt>{what}</dt>
            <dd>
              <kbd>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What the topmost layer answers to: its buttons with a key, and its tables' rows. */
function keysHere(): KeyLine[] {
  const layer = [...document.querySelectorAll(".drawer")].at(-1) ?? document.querySelector(".view:not([hidden]):not([style*='none'])");
  const found = new Map<string, string>();
  for (const element of layer?.querySelectorAll<HTMLElement>("[aria-keyshortcuts], [data-keys]") ?? []) {
    if (!element.checkVisibility()) continue;
    for (const [keys, what] of JSON.parse(element.dataset["keys"] ?? "[]") as KeyLine[]) found.set(keys, what);
    const key = element.getAttribute("aria-keyshortcuts");
    const words = element.getAttribute("aria-label") ?? element.innerText.trim();
    if (key !== null && words !== "") found.set(key, words);
  }
  return [...found];
}
