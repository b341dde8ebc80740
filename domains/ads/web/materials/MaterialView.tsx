import { type ReactNode, useState } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Preview } from "@zhangfang/web/show/Picture.tsx";
import { Icon } from "@zhangfang/web/show/icons.tsx";
import type { getMaterials } from "../../contract/index.ts";
import { lengthWords } from "./words.ts";

export type Material = RowOf<typeof getMaterials>;

/** The small picture of a material; a film says its length on it. */
export function Thumb({ row }: { row: Pick<Material, "thumbUrl" | "url" | "kind" | "durationMs"> }): ReactNode {
  const src = row.thumbUrl ?? (row.kind === 1 ? row.url : undefined);
  return (
    <span className="material-thumb">
      {src ? <img src={src} alt="" loading="lazy" /> : <Icon name="eye" />}
      {row.durationMs !== null && <span className="material-length num">{lengthWords(row.durationMs)}</span>}
    </span>
  );
}

/** The file itself, never the small picture that came with it: a picture that opens large, or a film that plays. */
export function RealFile({ row }: { row: Pick<Material, "url" | "thumbUrl" | "kind" | "name"> }): ReactNode {
  const [open, setOpen] = useState(false);
  if (row.kind === 2)
    return (
      <video
        key={row.url}
        className="material-real"
        controls
        playsInline
        preload="metadata"
        src={row.url}
        {...(row.thumbUrl && { poster: row.thumbUrl })}
        aria-label={row.name}
      />
    );
  return (
    <>
      <button type="button" className="material-real" aria-label={`放大查看 ${row.name}`} onClick={() => setOpen(true)}>
        <img src={row.url} alt={row.name} />
      </button>
      {open && <Preview url={row.url} name={row.name} onClose={() => setOpen(false)} />}
    </>
  );
}
