import type { Readable } from "node:stream";
import type { Sink } from "../lists/table-writer.ts";

/**
 * Private files by opaque key, in a folder or in a bucket of an S3-compatible store: nobody else knows which. The verbs are
 * what both can do; a library between would add its own streams and a cloud's kit for the sake of these lines.
 */
export interface Files {
  /**
   * Writes a file: `fill` hands pieces to the sink and the file appears, whole, when it returns. When it throws, nothing
   * is left and what was there before stays.
   * @returns the size in bytes
   */
  write(key: string, fill: (sink: Sink) => Promise<void>): Promise<number>;
  /**
   * The file as a stream, or a stretch of it.
   * @returns the size of the whole file beside it
   * @throws ENOENT where there is none
   */
  read(key: string, stretch?: Stretch): Promise<{ readonly stream: Readable; readonly size_bytes: number }>;
  /** Deletes it, and what an interrupted writing left of it; no complaint where there is nothing. */
  remove(key: string): Promise<void>;
  /** Keys of files that were written before a moment; also of what was never written to its end. */
  old(before_ms: number): AsyncIterable<string>;
}
/** What a key looks like: it never holds a dot or a slash, so that it cannot point elsewhere. */
export const FILE_KEY = /^[a-z0-9-]{8,80}$/;

/** A stretch of a file, in bytes; the last one included. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}
