import { useRef, useState } from "react";
import { base64Of } from "@zhangfang/web/form/files/base64.ts";
import type { Field } from "../../contract/rules/dossier.ts";
import { shrinkPaper } from "./shrink-paper.ts";

/** A picture that was chosen and is not there yet. */
export interface Pending {
  readonly key: string;
  readonly path: string;
  readonly name: string;
  /** It as it is sent, to be seen meanwhile. */
  readonly preview?: string;
  readonly base64?: string;
  readonly kilobytes?: number;
  /** How much of it is on its way, from 0 to 1. */
  readonly sent?: number;
  /** Its words may not be read. */
  readonly small?: boolean;
  /** Why it stands still. */
  readonly broken?: string;
}
/** Pictures on their way, for all fields of a dossier: a step that is left takes none along. */
export interface Pictures {
  readonly pending: readonly Pending[];
  add(field: Field, files: readonly File[]): void;
  /** Sends once more what broke. */
  again(key: string): void;
  drop(key: string): void;
  /** A picture that was sent from here, as it was; others are looked at. */
  previewOf(fileId: string): string | undefined;
  readonly look: ((fileId: string) => Promise<string | undefined>) | undefined;
}

/**
 * @param on.upload sends base64, gives the file's id
 * @param on.keep a picture arrived for a field
 * @param on.look an address that holds for a minute; left out, nobody may look
 */
export function usePictures(on: {
  readonly upload: (base64: string, onSent: (share: number) => void) => Promise<string>;
  readonly keep: (field: Field, fileId: string) => void;
  readonly look?: ((fileId: string) => Promise<string | undefined>) | undefined;
}): Pictures {
  const [pending, setPending] = useState<readonly Pending[]>([]);
  const [sent, setSent] = useState<Readonly<Record<string, string>>>({});
  const fields = useRef(new Map<string, Field>());
  const change = (key: string, more: Partial<Pending>): void =>
    setPending((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)));
  const drop = (key: string): void => setPending((all) => all.filter((one) => one.key !== key));
  const send = async (key: string, base64: string, preview: string): Promise<void> => {
    try {
      const id = await on.upload(base64, (share) => change(key, { sent: share }));
      setSent((all) => ({ ...all, [id]: preview }));
      drop(key);
      on.keep(fields.current.get(key)!, id);
    } catch (failure) {
      change(key, { broken: failure instanceof Error ? failure.message : "没有传上去" });
    }
  };
  const take = async (key: string, file: File): Promise<void> => {
    const paper = await shrinkPaper(file);
    if (!paper) return change(key, { broken: "这张图片打不开，请换 JPEG 或 PNG" });
    const preview = URL.createObjectURL(paper.blob);
    const base64 = base64Of(new Uint8Array(await paper.blob.arrayBuffer()));
    change(key, { preview, base64, kilobytes: Math.ceil(paper.blob.size / 1024), small: paper.small });
    return send(key, base64, preview);
  };
  return {
    pending,
    add: (field, files) => {
      for (const file of files.slice(0, field.form === "picture" ? 1 : field.most)) {
        const key = crypto.randomUUID();
        fields.current.set(key, field);
        setPending((all) => [
          // Another picture for one place takes the place of one that broke.
          ...all.filter((one) => field.form === "pictures" || one.path !== field.path),
          { key, path: field.path, name: file.name },
        ]);
        void take(key, file);
      }
    },
    again: (key) => {
      const one = pending.find((other) => other.key === key);
      if (one?.base64 === undefined || one.preview === undefined) return;
      setPending((all) => all.map(({ broken, ...other }) => (other.key === key || broken === undefined ? other : { ...other, broken })));
      void send(key, one.base64, one.preview);
    },
    drop,
    previewOf: (fileId) => sent[fileId],
    look: on.look,
  };
}
