import { Readable } from "node:stream";
import { notFound, Refusal } from "../calls/errors.ts";
import type { Stretch } from "./files.ts";

/** What a handler whose envelope is `file` returns: the server streams it as a download. */
export interface FileAnswer {
  readonly stream: Readable;
  /** May hold hanzi; the server writes it as RFC 5987 says. */
  readonly fileName: string;
  readonly contentType: string;
  /** Of the whole file. */
  readonly size_bytes: number;
  /** How long browsers keep it; without it not at all. */
  readonly cache?: string;
  /** Names the content; a caller may then ask for a stretch of it, and go on where it was cut off. */
  readonly tag?: string;
  /** The stretch that the stream holds; without it the stream is the whole. */
  readonly stretch?: Stretch;
}

/** A picture that was cleaned when it came, by its number. @throws 404 where there is none */
export function pictureAnswer(id: string, found: { content_type: string; bytes: Buffer } | undefined, cache: string): FileAnswer {
  if (!found) throw notFound("图片");
  return {
    stream: Readable.from([found.bytes]),
    fileName: `${id}.${found.content_type.slice("image/".length)}`,
    contentType: found.content_type,
    size_bytes: found.bytes.length,
    cache,
  };
}

/**
 * The stretch that a caller asks for with `Range`, so that a film can be wound and a download goes on where it broke (RFC 9110, 14).
 * Several at once, other units and what can't be read count as no wish, as the rule allows.
 * @returns undefined for the whole file
 * @throws Refusal 416 where it begins behind the end
 */
export function stretchAsked(
  headers: Readonly<Record<string, string | undefined>>,
  { size_bytes, tag }: { readonly size_bytes: number; readonly tag: string },
): Stretch | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers["range"] ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  // It was begun on another content.
  if (headers["if-range"] !== undefined && headers["if-range"] !== `"${tag}"`) return undefined;
  const from = first === "" ? Math.max(0, size_bytes - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size_bytes - 1 : Math.min(Number(last), size_bytes - 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  if (from > to) throw new Refusal(416, "range", "请求的范围超出文件大小", undefined, { "content-range": `bytes */${size_bytes}` });
  return { from, to };
}
