import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { Icon } from "./icons.tsx";
import { imageSrc } from "./image-src.ts";

/**
 * A small picture that opens in a dialog when pressed.
 * @param props.name what the picture shows
 * @example <Picture url={row.logoUrl} name="门店招牌" />
 */
export function Picture({ url, name, size = 48 }: { url: string | null | undefined; name: string; size?: number }): ReactNode {
  const [open, setOpen] = useState(false);
  if (!url) return <span className="blank">—</span>;
  return (
    <>
      <button type="button" className="picture" aria-label={`查看${name}`} onClick={() => setOpen(true)}>
        <img src={imageSrc(url)} alt={name} width={size} height={size} loading="lazy" />
      </button>
      {open && <Preview url={url} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function Preview({ url, name, onClose }: { url: string; name: string; onClose: () => void }): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Outside the page's root, which is inert while a drawer is open.
  return createPortal(
    <dialog
      ref={dialog}
      className="ask preview"
      aria-label={name}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <button type="button" className="icon-button" aria-label="关闭" onClick={onClose}>
        <Icon name="close" />
      </button>
      <img src={imageSrc(url)} alt={name} />
    </dialog>,
    document.body,
  );
}
