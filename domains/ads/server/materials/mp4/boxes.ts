/** A file that is read here and there, without having it all at hand. */
export interface Source {
  readonly size_bytes: number;
  read(from: number, length: number): Promise<Buffer>;
}
/** A box of an MP4 (ISO 14496-12, 4.2): where it lies in the file, and where what it holds begins. */
export interface Box {
  readonly type: string;
  readonly at: number;
  readonly body: number;
  readonly end: number;
}
/** Why a film can't be taken, in words for whoever uploads it. */
export class NoFilm extends Error {}

const BROKEN = "视频文件不完整或已损坏，请重新导出";
export const broken = () => new NoFilm(BROKEN);

/** Reads the head of a box. @param bytes begin at the box; @param at where that is in the file @param end where the box must have ended */
export function boxAt(bytes: Buffer, at: number, end: number): Box {
  if (bytes.length < 8) throw broken();
  const [short, type] = [bytes.readUInt32BE(0), bytes.toString("latin1", 4, 8)];
  if (short === 1 && bytes.length < 16) throw broken();
  // Sizes of 2^53 and more lie behind the end of any file.
  const size = short === 1 ? Number(bytes.readBigUInt64BE(8)) : short === 0 ? end - at : short;
  const body = at + (short === 1 ? 16 : 8);
  if (at + size < body || at + size > end) throw broken();
  return { type, at, body, end: at + size };
}
/** The boxes inside a box that is in memory. @param bytes the part of the file that begins at `base` */
export function boxesIn(bytes: Buffer, base: number, from: number, end: number): Box[] {
  const found: Box[] = [];
  for (let at = from; at < end;) {
    const box = boxAt(bytes.subarray(at - base, Math.min(at - base + 16, end - base)), at, end);
    found.push(box);
    if (found.length > MOST_BOXES) throw broken();
    at = box.end;
  }
  return found;
}
/** The boxes of the file itself, whose bodies are not read. */
export async function boxesOf(source: Source): Promise<Box[]> {
  const found: Box[] = [];
  for (let at = 0; at < source.size_bytes;) {
    const box = boxAt(await source.read(at, Math.min(16, source.size_bytes - at)), at, source.size_bytes);
    found.push(box);
    if (found.length > 64) throw broken();
    at = box.end;
  }
  return found;
}
/** In one box, and in the head of a film in all: films hold some dozens, and a head full of empty ones only costs time and memory. */
export const MOST_BOXES = 1_000;
