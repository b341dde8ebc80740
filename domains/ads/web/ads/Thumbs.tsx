import type { ReactNode } from "react";

/** What is shown of a material where it is small. */
interface Shown {
  readonly name: string;
  readonly kind: 1 | 2;
  readonly thumb_url: string | null;
}
/** A material as a small picture, or what it is where it has none. */
export function Thumb({ of }: { of: Shown | undefined }): ReactNode {
  return of?.thumb_url ? (
    <img className="thumb" src={of.thumb_url} alt={of.name} loading="lazy" />
  ) : (
    <span className="thumb" role="img" aria-label={of?.name ?? "素材"}>
      {of?.kind === 2 ? "视频" : "图片"}
    </span>
  );
}
/** More don't stand in a row. */
const SHOWN = 2;
/** The first materials of an ad, and how many more there are. */
export function Thumbs({ of }: { of: readonly (Shown & { readonly material_id: string })[] }): ReactNode {
  return (
    <span className="thumbs">
      {of.slice(0, SHOWN).map((one) => (
        <Thumb key={one.material_id} of={one} />
      ))}
      {of.length > SHOWN && <span className="note num">+{of.length - SHOWN}</span>}
    </span>
  );
}
