import { createHash } from "node:crypto";
import { pipeline, Readable } from "node:stream";
import { createGunzip, createInflateRaw } from "node:zlib";
import { BillError } from "../bill-error.ts";
import { findBill } from "./zip.ts";

/** Unpacked: some two million rows. */
export const MOST_UNPACKED_BYTES = 1024 ** 3;
/** A bill packs to a tenth or a twentieth; what unpacks to far more than that was made to. */
const MOST_RATIO = 200;
const RATIO_COUNTS_FROM_BYTES = 16 * 1024 * 1024;

/** The plain content of a bill, and its SHA-256 when it has been read to the end. */
export interface Content {
  readonly bytes: AsyncIterable<Buffer>;
  sha256(): string;
}

/**
 * Unpacks a file as it comes: gzip, a zip with one bill in it, or plain. Of a plain or gzipped file nothing is kept in
 * memory; a zip, whose directory stands at its end, is held packed.
 */
export function openContent(source: AsyncIterable<Buffer>): Content {
  const hash = createHash("sha256");
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of unpacked(source)) {
      hash.update(chunk);
      yield chunk;
    }
  }
  return { bytes: bytes(), sha256: () => hash.copy().digest("hex") };
}

async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { head, rest } = await peek(source, 4);
  if (head.length === 0) throw new BillError("文件是空的");
  if (head[0] === 0x1f && head[1] === 0x8b) {
    // A sheet of the browser comes gzipped, whatever it was before.
    const inner = await peek(limited(through(rest, createGunzip(), "压缩文件不完整或已损坏")), 4);
    yield* isZip(inner.head) ? unzipped(inner.rest) : inner.rest;
  } else if (isZip(head)) yield* unzipped(rest);
  else yield* limited(asPacked(rest));
}
const isZip = (head: Buffer): boolean => head.subarray(0, 4).equals(Buffer.from("PK\u0003\u0004", "latin1"));

async function* unzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { data, packed } = await findBill(source);
  const one = (async function* () {
    yield data;
  })();
  yield* packed ? limited(through(one, createInflateRaw(), "压缩文件不完整或已损坏")) : limited(asPacked(one));
}

interface Measured {
  readonly bytes: AsyncIterable<Buffer>;
  /** Bytes that went in until now. */
  readonly packed: () => number;
}
function through(source: AsyncIterable<Buffer>, unpack: NodeJS.ReadWriteStream & AsyncIterable<Buffer>, message: string): Measured {
  let packed = 0;
  const counted = (async function* () {
    for await (const chunk of source) {
      packed += chunk.length;
      yield chunk;
    }
  })();
  async function* bytes(): AsyncGenerator<Buffer> {
    pipeline(Readable.from(counted, { objectMode: false }), unpack, () => {});
    try {
      for await (const chunk of unpack) yield chunk;
    } catch (error) {
      if (String((error as { code?: string }).code).startsWith("Z_")) throw new BillError(message);
      throw error;
    }
  }
  return { bytes: bytes(), packed: () => packed };
}
const asPacked = (source: AsyncIterable<Buffer>): Measured => ({ bytes: source, packed: () => Number.POSITIVE_INFINITY });

async function* limited({ bytes, packed }: Measured): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MOST_UNPACKED_BYTES) throw new BillError("文件解压后超过 1 GB，不是账单");
    if (size > RATIO_COUNTS_FROM_BYTES && size > packed() * MOST_RATIO) throw new BillError("文件解压后远大于压缩包，不是账单");
    yield chunk;
  }
}

async function peek(source: AsyncIterable<Buffer>, count: number): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const taken: Buffer[] = [];
  const iterator = source[Symbol.asyncIterator]();
  let size = 0;
  let ended = false;
  while (size < count && !ended) {
    const { value, done } = await iterator.next();
    if (done) ended = true;
    else size += taken.push(value as Buffer) && (value as Buffer).length;
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield* taken;
    if (!ended) yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head: Buffer.concat(taken).subarray(0, count), rest: rest() };
}
