/** A file that is made to fill memory; the words are for whoever chose it. */
export class TooLarge extends Error {}

/** Of a sheet of 5,000 lines this is a hundredfold. */
const MOST_BYTES = 100 * 1024 * 1024;
const UNPACKED_TOO_LARGE = "文件解压后超过 100 MB，不像一张表，没有读";
const [END, END_64, ENTRY] = [0x06054b50, 0x06064b50, 0x02014b50];
const PAST_32_BITS = 0xffffffff;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed_bytes: number;
  readonly offset: number;
}
/**
 * The XML parts of a workbook. What a part says of its own size is believed by nobody: it is unpacked piece by piece, and all of them
 * together up to a limit.
 * @throws TooLarge, and what is no zip
 */
export async function unpackXml(file: ArrayBuffer): Promise<Record<string, Uint8Array>> {
  const parts: Record<string, Uint8Array> = {};
  let left_bytes = MOST_BYTES;
  for (const entry of entriesOf(new DataView(file))) {
    if (!/\.(?:xml|rels)$/.test(entry.name)) continue;
    const packed = dataOf(new DataView(file), entry);
    const part = entry.method === 0 ? stored(packed, left_bytes) : await inflated(packed, left_bytes);
    left_bytes -= part.length;
    parts[entry.name] = part;
  }
  return parts;
}
/** What the directory at the file's end names. Reading past the end throws. */
function entriesOf(file: DataView): Entry[] {
  let end = file.byteLength - 22;
  while (file.getUint32(end, true) !== END) end--;
  let [count, at] = [file.getUint16(end + 10, true), file.getUint32(end + 16, true)];
  if (at === PAST_32_BITS) {
    const far = Number(file.getBigUint64(end - 12, true));
    if (file.getUint32(far, true) !== END_64) throw new Error("no directory");
    [count, at] = [Number(file.getBigUint64(far + 32, true)), Number(file.getBigUint64(far + 48, true))];
  }
  const entries: Entry[] = [];
  let packed_bytes = 0;
  for (let n = 0; n < count; n++) {
    if (file.getUint32(at, true) !== ENTRY) throw new Error("no entry");
    const entry = entryAt(file, at);
    packed_bytes += entry.packed_bytes;
    // Parts that lie over each other: one piece of a bomb would be many.
    if (packed_bytes > file.byteLength) throw new TooLarge(UNPACKED_TOO_LARGE);
    entries.push(entry);
    at += 46 + file.getUint16(at + 28, true) + file.getUint16(at + 30, true) + file.getUint16(at + 32, true);
  }
  return entries;
}
function entryAt(file: DataView, at: number): Entry {
  const named = file.getUint16(at + 28, true);
  const name = new TextDecoder().decode(new Uint8Array(file.buffer, at + 46, named));
  let [packed_bytes, offset] = [file.getUint32(at + 20, true), file.getUint32(at + 42, true)];
  // Sheets that are written as they come keep 64-bit sizes beside, in this order, each where the short field is full.
  const extra = at + 46 + named;
  for (let e = extra; e + 4 <= extra + file.getUint16(at + 30, true); e += 4 + file.getUint16(e + 2, true)) {
    if (file.getUint16(e, true) !== 1) continue;
    let field = e + 4 + (file.getUint32(at + 24, true) === PAST_32_BITS ? 8 : 0);
    if (packed_bytes === PAST_32_BITS) [packed_bytes, field] = [Number(file.getBigUint64(field, true)), field + 8];
    if (offset === PAST_32_BITS) offset = Number(file.getBigUint64(field, true));
    break;
  }
  return { name, method: file.getUint16(at + 10, true), packed_bytes, offset };
}
function dataOf(file: DataView, { offset, packed_bytes }: Entry): Uint8Array<ArrayBuffer> {
  const from = offset + 30 + file.getUint16(offset + 26, true) + file.getUint16(offset + 28, true);
  return new Uint8Array(file.buffer as ArrayBuffer, from, packed_bytes);
}
function stored(packed: Uint8Array, most_bytes: number): Uint8Array {
  if (packed.length > most_bytes) throw new TooLarge(UNPACKED_TOO_LARGE);
  return packed;
}
/** Of this the most that can come is some 16 MB. */
const SLICE_BYTES = 16 * 1024;
/** Slice by slice, each as the one before was taken; ends with whoever reads. */
async function writeSlices(packed: Uint8Array<ArrayBuffer>, to: WritableStream<BufferSource>): Promise<void> {
  const writer = to.getWriter();
  for (let at = 0; at < packed.length; at += SLICE_BYTES) await writer.write(packed.subarray(at, at + SLICE_BYTES));
  await writer.close();
}
/** The browser's own: it unpacks the whole of what it is given before anything of it can be read, so it is given little at a time. */
async function inflated(packed: Uint8Array<ArrayBuffer>, most_bytes: number): Promise<Uint8Array> {
  const unpacking = new DecompressionStream("deflate-raw");
  // What is broken is told to whoever reads.
  writeSlices(packed, unpacking.writable).catch(() => {});
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = unpacking.readable.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > most_bytes) {
      void reader.cancel().catch(() => {});
      throw new TooLarge(UNPACKED_TOO_LARGE);
    }
    pieces.push(piece.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Cells from the first to the last that holds something, empty ones between them too. */
const MOST_CELLS = 10_000_000;
/**
 * Looks at the addresses in a sheet before it is read: the reader makes every row and cell up to the furthest, and one cell far out would
 * be a thousand million. Addresses are taken wherever they stand, so that no writing of them hides one.
 * @throws TooLarge
 */
export function lookAtAddresses(part: Uint8Array): void {
  const text = new TextDecoder().decode(part);
  if (!text.includes("sheetData")) return;
  let [row, rows, columns] = [0, 0, 0];
  for (const [, , address = ""] of text.matchAll(/(?<![\w:.-])r\s*=\s*(["'])(.*?)\1/gs)) {
    const found = /^([A-Z]{0,3})(\d{1,7})$/.exec(address);
    const [, letters = "", digits = ""] = found ?? [];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
    row = Math.max(row, Number(digits));
    if (!found || row > 1_048_576 || column > 16_384) throw new TooLarge(`表里有个单元格的位置「${address.slice(0, 20)}」不对，没有读`);
    // A row that is only formatted, far down, is left out by the reader.
    if (column > 0) [rows, columns] = [row, Math.max(columns, column)];
    if (rows * columns > MOST_CELLS)
      throw new TooLarge(`表格太大：到了第 ${rows} 行、第 ${columns} 列。请删掉有内容的区域以外的行和列，再存一次`);
  }
}
