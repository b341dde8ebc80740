import type { Readable } from "node:stream";

/** What a handler whose envelope is `file` returns: the server streams it as a download. */
export interface FileAnswer {
  readonly stream: Readable;
  /** May hold hanzi; the server writes it as RFC 5987 says. */
  readonly fileName: string;
  readonly contentType: string;
  readonly size_bytes: number;
  /** How long browsers keep it; without it not at all. */
  readonly cache?: string;
}
