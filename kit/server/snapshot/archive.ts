import { createHash } from "node:crypto";
import { pipeline, Readable, type Transform } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { StartError } from "../start-error.ts";
import { byteReader, type ByteReader } from "./byte-reader.ts";
import { sealed, unsealed } from "./sealed-file.ts";

/** A table's rows in COPY's text form, without the columns that the database computes. */
export interface TablePart {
  readonly table: string;
  readonly columns: readonly string[];
  /** A partition that the migrations don't make, days for example: of which table, and for which values. */
  readonly partition?: { readonly of: string; readonly bound: string };
}
/** A file, by its path below the files folder. */
export interface FilePart {
  readonly file: string;
}
export type Part = TablePart | FilePart;

/** What a part was when it was written. */
export type Recorded = Part & Measured;
/** `rows` counts lines; in COPY's text form a row is a line, because a line feed in a value is written as `\\n`. */
export interface Measured {
  readonly size_bytes: number;
  readonly sha256: string;
  readonly rows: number;
}

export interface Manifest {
  readonly created_at: string;
  readonly server_version: string;
  /** The schema: every migration that was applied, in order. */
  readonly migrations: readonly { readonly name: string; readonly sha256: string }[];
  /** Tells whether a secret is the one that the fields were encrypted with; says nothing about it. */
  readonly secret_mark: string;
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
  /** Of one provider alone, where it is that. */
  readonly provider?: SavedProvider;
  readonly parts: readonly Recorded[];
}
/** Whose rows a save holds, and what they come to: what has to be there again once they are restored. */
export interface SavedProvider {
  readonly format: 1;
  readonly id: string;
  readonly number: string;
  readonly name: string;
  /** By table: how many, and a sum over each row's own hash, whatever order they lie in. */
  readonly rows: Readonly<Record<string, RowSum>>;
  /** Each double-entry book: how many entries, the last one's number, and what each kind of account comes to. */
  readonly books: Readonly<Record<string, BookSum>>;
  /** Keys that rows name and that were not in the file store. */
  readonly files_missing: readonly string[];
}
export interface RowSum {
  readonly rows: number;
  readonly sum: string;
}
export interface BookSum {
  readonly entries: number;
  readonly head: number;
  readonly kinds: Readonly<Record<string, string>>;
}

export interface PartSource {
  readonly part: Part;
  readonly bytes: AsyncIterable<Buffer>;
}

/** The bytes of an archive: the parts as they are read, then the manifest that says what they were. */
export async function* archive(
  parts: AsyncIterable<PartSource>,
  about: Omit<Manifest, "parts">,
  key: string | undefined,
): AsyncGenerator<Buffer> {
  const plain = async function* () {
    const recorded: Recorded[] = [];
    for await (const { part, bytes } of parts) {
      yield Buffer.from(`${JSON.stringify(part)}\n`);
      const meter = meterOf();
      for await (const chunk of bytes) {
        if (chunk.length === 0) continue;
        meter.add(chunk);
        yield lengthOf(chunk.length);
        yield chunk;
      }
      yield lengthOf(0);
      recorded.push({ ...part, ...meter.end() });
    }
    yield Buffer.from(`${JSON.stringify({ manifest: { ...about, parts: recorded } })}\n`);
  };
  yield* sealed(through(plain(), createGzip({ level: 4 })), key);
}

/**
 * Reads an archive from its beginning; `take` gets each part and must read its bytes to the end. At the end every part
 * has been compared with the manifest.
 * @throws StartError when anything differs from what was written
 */
export async function readArchive(
  path: string,
  key: string | undefined,
  take: (part: Part, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Manifest> {
  const bytes = through(unsealed(path, key), createGunzip());
  try {
    return await readParts(byteReader(bytes), path, take);
  } finally {
    bytes.destroy();
  }
}

/** `pipe` alone would wait for ever when its source fails. */
function through(source: AsyncGenerator<Buffer>, change: Transform): Transform & AsyncIterable<Buffer> {
  pipeline(Readable.from(source), change, () => {});
  return change;
}

async function readParts(
  reader: ByteReader,
  path: string,
  take: (part: Part, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<Manifest> {
  const seen: Recorded[] = [];
  for (;;) {
    const line = await reader.line(64 * 1024 * 1024);
    const head = JSON.parse(line ?? "null") as Part | { readonly manifest: Manifest } | null;
    if (!head) throw new StartError(`${path} 没有写完`);
    if ("manifest" in head) {
      // Reading on to the end proves the last frames too.
      const more = await reader.exact(1);
      if (more || JSON.stringify(seen) !== JSON.stringify(head.manifest.parts)) throw new StartError(`${path} 的内容与清单不一致`);
      return head.manifest;
    }
    const meter = meterOf();
    await take(head, metered(reader, meter));
    seen.push({ ...head, ...meter.end() });
  }
}

async function* metered(reader: ByteReader, meter: Meter): AsyncGenerator<Buffer> {
  for (;;) {
    const size_bytes = (await reader.exact(4))?.readUInt32BE();
    const chunk = size_bytes === undefined ? undefined : await reader.exact(size_bytes);
    if (!chunk) throw new StartError("备份没有写完");
    if (chunk.length === 0) return;
    meter.add(chunk);
    yield chunk;
  }
}

interface Meter {
  add(chunk: Buffer): void;
  end(): Measured;
}

/** Counts and hashes what passes. */
export function meterOf(): Meter {
  const hash = createHash("sha256");
  let size_bytes = 0;
  let rows = 0;
  return {
    add(chunk) {
      hash.update(chunk);
      size_bytes += chunk.length;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++;
    },
    end: () => ({ size_bytes, sha256: hash.digest("hex"), rows }),
  };
}

function lengthOf(size_bytes: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size_bytes);
  return bytes;
}
