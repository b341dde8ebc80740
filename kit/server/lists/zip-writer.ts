import { constants, crc32, deflateRaw } from "node:zlib";
import { promisify } from "node:util";
import type { Sink } from "./table-writer.ts";

const deflate = promisify(deflateRaw);
/** Zip without its 64-bit extension, which some spreadsheet programs do not read, ends here. */
export const ZIP_LIMIT_BYTES = 0xffff_ffff - 0x0400_0000;
// An empty last block closes a deflate stream whose pieces were each flushed to a byte boundary.
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** The file would grow past what zip without extensions can say. */
export class ZipTooLarge extends Error {}

interface Entry {
  readonly name: Buffer;
  readonly offset: number;
  crc: number;
  packed_bytes: number;
  plain_bytes: number;
}
export interface ZipWriter {
  /** Begins an entry; the one before is closed. */
  begin(name: string): Promise<void>;
  /** Adds to the open entry; the bytes may be reused once it returns. @returns how many it holds now, before compression */
  add(plain: Buffer): Promise<number>;
  /** Closes the last entry and writes the directory. */
  end(): Promise<void>;
}

/**
 * Writes a zip piece by piece to a sink that cannot seek: sizes follow each entry in a data descriptor. Every piece is
 * deflated on its own, in Node's thread pool, so that memory holds one piece and the event loop stays free.
 */
export function openZip(sink: Sink, level = 1): ZipWriter {
  const entries: Entry[] = [];
  let offset = 0;
  let open: Entry | undefined;
  const put = async (bytes: Buffer): Promise<void> => {
    offset += bytes.length;
    if (offset > ZIP_LIMIT_BYTES) throw new ZipTooLarge("zip above 4 GiB");
    await sink(bytes);
  };
  const close = async (): Promise<void> => {
    if (!open) return;
    open.packed_bytes += LAST_BLOCK.length;
    await put(Buffer.concat([LAST_BLOCK, descriptorOf(open)]));
    open = undefined;
  };
  return {
    async begin(name) {
      await close();
      open = { name: Buffer.from(name), offset, crc: 0, packed_bytes: 0, plain_bytes: 0 };
      entries.push(open);
      await put(localHeaderOf(open));
    },
    async add(plain) {
      if (!open) throw new Error("no entry is open");
      open.crc = crc32(plain, open.crc);
      open.plain_bytes += plain.length;
      if (open.plain_bytes > ZIP_LIMIT_BYTES) throw new ZipTooLarge("zip entry above 4 GiB");
      const packed = await deflate(plain, { level, finishFlush: constants.Z_SYNC_FLUSH });
      open.packed_bytes += packed.length;
      await put(packed);
      return open.plain_bytes;
    },
    async end() {
      await close();
      const start = offset;
      for (const entry of entries) await put(directoryLineOf(entry));
      await put(endOf(entries.length, offset - start, start));
    },
  };
}

// Names in UTF-8 (bit 11), sizes behind the data (bit 3), version 2.0, deflate, 1980-01-01: the same table makes the same file.
const FLAGS = 0x0808;
const DOS_DATE = 0x0021;
function localHeaderOf(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(8, 8);
  header.writeUInt16LE(DOS_DATE, 12);
  header.writeUInt16LE(entry.name.length, 26);
  return Buffer.concat([header, entry.name]);
}
function descriptorOf(entry: Entry): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(entry.crc, 4);
  descriptor.writeUInt32LE(entry.packed_bytes, 8);
  descriptor.writeUInt32LE(entry.plain_bytes, 12);
  return descriptor;
}
function directoryLineOf(entry: Entry): Buffer {
  const line = Buffer.alloc(46);
  line.writeUInt32LE(0x02014b50, 0);
  line.writeUInt16LE(20, 4);
  line.writeUInt16LE(20, 6);
  line.writeUInt16LE(FLAGS, 8);
  line.writeUInt16LE(8, 10);
  line.writeUInt16LE(DOS_DATE, 14);
  line.writeUInt32LE(entry.crc, 16);
  line.writeUInt32LE(entry.packed_bytes, 20);
  line.writeUInt32LE(entry.plain_bytes, 24);
  line.writeUInt16LE(entry.name.length, 28);
  line.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([line, entry.name]);
}
function endOf(count: number, size: number, start: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(start, 16);
  return end;
}
