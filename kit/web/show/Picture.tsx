import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Icon } from "./icons.tsx";
import { imageSrc } from "./image-src.ts";

/**
 * A small picture that opens in a dialog when pressed.
 * @param props.name what the picture shows
 * @param props.tile its address as a small one, where there is one
 * @example <Picture url={row.logoUrl} name="门店招牌" />
 */
export function Picture({
  url,
  tile,
  name,
  size = 48,
}: {
  url: string | null | undefined;
  tile?: string;
  name: string;
  size?: number;
}): ReactNode {
  const [open, setOpen] = useState(false);
  if (!url) return <span className="blank">—</span>;
  return (
    <>
      <button type="button" className="picture" aria-label={`查看${name}`} onClick={() => setOpen(true)}>
        <img src={imageSrc(tile ?? url)} alt={name} width={size} height={size} loading="lazy" />
      </button>
      {open && <Preview url={url} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

/** How large a picture is drawn, of what fits the window; each key press a step. */
const ZOOMS = [1, 1.5, 2, 3, 4, 6] as const;

/**
 * A picture over the page. + and - draw it larger and smaller, 0 as it fits, the arrows move what is larger than the window, Esc closes.
 * @param props.name what it shows
 */
export function Preview({ url, name, onClose }: { url: string; name: string; onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState(0);
  const zoom = ZOOMS[step] ?? 1;
  useEffect(() => dialog.current?.showModal(), []);
  const by = (more: number): void => setStep((now) => Math.min(ZOOMS.length - 1, Math.max(0, now + more)));
  const keys = (event: KeyboardEvent): void => {
    // The Esc that closes it is not meant for the drawer in which the small picture stands.
    event.stopPropagation();
    if (event.key === "+" || event.key === "=") by(1);
    else if (event.key === "-") by(-1);
    else if (event.key === "0") setStep(0);
    else return;
    event.preventDefault();
  };
  // Outside the page's root, which is inert while a drawer is open.
  return createPortal(
    <dialog
      ref={dialog}
      className="ask preview"
      aria-label={name}
      onClose={onClose}
      onKeyDown={keys}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className="preview-acts">
        <button type="button" className="icon-button" aria-label="缩小" disabled={step === 0} onClick={() => by(-1)}>
          −
        </button>
        <span className="num" aria-live="polite">
          {Math.round(zoom * 100)}%
        </span>
        <button type="button" className="icon-button" aria-label="放大" disabled={step === ZOOMS.length - 1} onClick={() => by(1)}>
          +
        </button>
        <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {/* What is larger than the window is moved by the keyboard too. */}
      <div className="preview-part" role="region" aria-label={`${name}，可滚动`} tabIndex={0}>
        <img src={imageSrc(url)} alt={name} style={{ zoom }} />
      </div>
    </dialog>,
    document.body,
  );
}
