import type { Readable } from "node:stream";
import { Refusal } from "./errors.ts";
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
