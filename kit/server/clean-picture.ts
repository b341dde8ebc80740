import { crc32, createInflate } from "node:zlib";
import { invalid } from "./errors.ts";

/** A picture as it may be kept and shown. */
export interface CleanPicture {
  readonly contentType: "image/png" | "image/jpeg";
  readonly width: number;
  readonly height: number;
  /** Put together anew from the parts that draw it; nothing else of what came is in it. */
  readonly bytes: Buffer;
}
/** How large a picture may be, in pixels. */
export interface PictureLimits {
  readonly side: number;
  readonly pixels: number;
}
/**
 * Reads a PNG or JPEG by its content, whatever it is called, and puts it together from the parts that draw it alone: places, names
 * and remarks in it (EXIF, XMP, comments), thumbnails, and what phones put behind its end stay behind; which way up it is held is
 * kept, since a phone turns the picture by a remark alone, and its width and height are as it is shown. The structure is read to the end, and
 * of a PNG the pixels are unpacked without being kept, so that a small file can't stand for more than its head says.
 * @returns undefined for everything else, "large" where it is beyond the limits
 * @example const picture = await cleanPicture(bytes, { side: 4096, pixels: 8_000_000 });
 */
export async function cleanPicture(bytes: Buffer, limits: PictureLimits): Promise<CleanPicture | "large" | undefined> {
  const found = bytes.subarray(0, 8).equals(PNG) ? readPng(bytes) : readJpeg(bytes);
  if (!found || found.width < 1 || found.height < 1) return undefined;
  if (found.width > limits.side || found.height > limits.side || found.width * found.height > limits.pixels) return "large";
  if (found.packed && !(await unpacksTo(found.packed.parts, found.packed.bytes))) return undefined;
  const { width, height, parts } = found;
  return { contentType: found.packed ? "image/png" : "image/jpeg", width, height, bytes: Buffer.concat(parts) };
}
/**
 * The picture that came as base64, clean.
 * @param limits `bytes` of what came
 * @throws Refusal 400 at the field `base64` where it is none, or too large
 */
export async function readPicture(base64: string, limits: PictureLimits & { readonly bytes: number }): Promise<CleanPicture> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > limits.bytes) throw invalid("base64", `图片不能超过 ${limits.bytes / 1000} KB`);
  const picture = await cleanPicture(bytes, limits);
  if (picture === undefined) throw invalid("base64", "只支持 PNG 和 JPEG 图片");
  if (picture === "large") throw invalid("base64", `图片边长不能超过 ${limits.side} 像素`);
  return picture;
}

interface Found {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Buffer[];
  /** Of a PNG: its packed pixels, and to how many bytes they unpack. */
  readonly packed?: { readonly parts: readonly Buffer[]; readonly bytes: number };
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** What draws a PNG: its head, palette, transparency, brightness, pixels and end. */
const DRAWS = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "IDAT", "IEND"]);
/** Whether what stands beside the pixels is as long as it may be: 256 colours, 256 transparencies, one number, one byte. */
const FITS: Readonly<Record<string, (size: number) => boolean>> = {
  PLTE: (size) => size > 0 && size <= 768 && size % 3 === 0,
  tRNS: (size) => size > 0 && size <= 256,
  gAMA: (size) => size === 4,
  sRGB: (size) => size === 1,
};
/** Bits for a pixel by colour type, for each bit of depth. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

function readPng(bytes: Buffer): Found | undefined {
  const parts: Buffer[] = [PNG];
  const pixels: Buffer[] = [];
  const seen = new Set<string>();
  let head: Buffer | undefined;
  let last = "";
  for (let at = 8; at + 12 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    const [type, end] = [bytes.toString("latin1", at + 4, at + 8), at + 12 + size];
    if (size > 0x7fffffff || end > bytes.length || !/^[A-Za-z]{4}$/.test(type)) return undefined;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const data = bytes.subarray(at + 8, end - 4);
    if ((type === "IHDR") !== (head === undefined) || (type === "IHDR" && size !== 13)) return undefined;
    head ??= data;
    // A part whose name begins in upper case must be understood; pixels stand together.
    if (!DRAWS.has(type) && /^[A-Z]/.test(type)) return undefined;
    if (type === "IDAT" && pixels.length > 0 && last !== "IDAT") return undefined;
    if (type === "IDAT") pixels.push(data);
    const fits = FITS[type];
    if (fits && (seen.has(type) || !fits(size))) return undefined;
    seen.add(type);
    if (DRAWS.has(type)) parts.push(bytes.subarray(at, end));
    // Nothing hides behind the end; of a JPEG phones put things there, and they are cut off.
    if (type === "IEND") return size === 0 && end === bytes.length && pixels.length > 0 ? pngOf(head, parts, pixels) : undefined;
    last = type;
    at = end;
  }
  return undefined;
}
function pngOf(head: Buffer, parts: readonly Buffer[], pixels: readonly Buffer[]): Found | undefined {
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth = 0, colour = 0, packing, filter, interlace = 0] = head.subarray(8);
  if (!DEPTHS[colour]?.includes(depth) || packing !== 0 || filter !== 0 || interlace > 1) return undefined;
  const bits = depth * (CHANNELS[colour] ?? 0);
  const rows = (w: number, h: number) => (w === 0 || h === 0 ? 0 : h * (1 + Math.ceil((w * bits) / 8)));
  // Adam7: seven smaller pictures one after the other.
  const passes = [
    [8, 8, 0, 0],
    [8, 8, 4, 0],
    [4, 8, 0, 4],
    [4, 4, 2, 0],
    [2, 4, 0, 2],
    [2, 2, 1, 0],
    [1, 2, 0, 1],
  ].map(([dx = 1, dy = 1, x = 0, y = 0]) => rows(Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)));
  const raw = interlace === 0 ? rows(width, height) : passes.reduce((all, one) => all + Math.max(0, one), 0);
  return { width, height, parts, packed: { parts: pixels, bytes: raw } };
}
/** Unpacks without keeping anything, and stops at the first byte too many; behind the end of what is packed nothing may stand. */
async function unpacksTo(parts: readonly Buffer[], bytes: number): Promise<boolean> {
  const packed = Buffer.concat(parts);
  const unpacking = createInflate();
  unpacking.end(packed);
  let come = 0;
  try {
    for await (const piece of unpacking) {
      come += (piece as Buffer).length;
      if (come > bytes) return false;
    }
  } catch {
    return false;
  }
  return come === bytes && unpacking.bytesWritten === packed.length;
}

const SOI = Buffer.from([0xff, 0xd8]);
const EOI = Buffer.from([0xff, 0xd9]);
/** Baseline, extended and progressive frames; the others no browser draws. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, restarts and scans. */
const KEPT = new Set([0xc4, 0xdb, 0xdd, 0xda]);
const [SOS, APP1, APP14, END] = [0xda, 0xe1, 0xee, 0xd9];

function readJpeg(bytes: Buffer): Found | undefined {
  if (!bytes.subarray(0, 2).equals(SOI)) return undefined;
  const parts: Buffer[] = [SOI];
  let frame: { readonly width: number; readonly height: number } | undefined;
  let turn = 1;
  let scans = 0;
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Any number of 0xff may stand before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) return frame && scans > 0 ? turned(frame, parts, turn) : undefined;
    if (at + 4 > bytes.length) return undefined;
    const size = bytes.readUInt16BE(at + 2);
    let end = at + 2 + size;
    if (size < 2 || end > bytes.length) return undefined;
    const isFrame = FRAMES.has(marker);
    if (isFrame) {
      const drawn = frameOf(bytes.subarray(at + 4, end));
      if (frame || !drawn) return undefined;
      frame = drawn;
    }
    if (marker === SOS) {
      if (!frame) return undefined;
      scans += 1;
      end = scanEnd(bytes, end);
    }
    if (isFrame || KEPT.has(marker) || (marker === APP14 && isAdobe(bytes.subarray(at + 4, end)))) parts.push(bytes.subarray(at, end));
    else if (!isLeft(marker)) return undefined;
    // The first one counts, as browsers have it.
    if (marker === APP1 && turn === 1) turn = turnOf(bytes.subarray(at + 4, end));
    at = end;
  }
  return undefined;
}
/** Which way up a picture is held, 1 to 8, by the remark of the camera (EXIF 2.32, tag 0x0112 of the first directory); 1 where it says nothing. */
function turnOf(data: Buffer): number {
  if (data.length < 20 || data.toString("latin1", 0, 6) !== "Exif\0\0") return 1;
  const tiff = data.subarray(6);
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "II" && order !== "MM") return 1;
  const short = (at: number): number => (at + 2 > tiff.length ? 0 : order === "II" ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === "II" ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  for (let one = 0; one < Math.min(short(directory), 64); one += 1) {
    const entry = directory + 2 + 12 * one;
    if (short(entry) !== ORIENTATION) continue;
    const turn = short(entry + 8);
    return short(entry + 2) === SHORT && turn >= 1 && turn <= 8 ? turn : 1;
  }
  return 1;
}
const [ORIENTATION, SHORT] = [0x0112, 3];
/** Puts the turn, and nothing else, into a remark of our own, right behind the beginning. From 5 on it lies on its side. */
function turned(frame: { readonly width: number; readonly height: number }, parts: readonly Buffer[], turn: number): Found {
  const [start = SOI, ...rest] = parts;
  if (turn === 1) return { ...frame, parts: [start, ...rest, EOI] };
  const remark = Buffer.alloc(36);
  remark.writeUInt16BE(0xff00 + APP1);
  remark.writeUInt16BE(34, 2);
  remark.write("Exif\0\0MM\0*", 4, "latin1");
  remark.writeUInt32BE(8, 14);
  remark.writeUInt16BE(1, 18);
  for (const [at, value] of [ORIENTATION, SHORT].entries()) remark.writeUInt16BE(value, 20 + 2 * at);
  remark.writeUInt32BE(1, 24);
  remark.writeUInt16BE(turn, 28);
  const shown = turn >= 5 ? { width: frame.height, height: frame.width } : frame;
  return { ...shown, parts: [start, remark, ...rest, EOI] };
}
/** What may stand in a picture and does not draw it: what programs and people wrote beside it. */
const isLeft = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;
/** Says how the colours are to be read; it holds nothing else. */
const isAdobe = (data: Buffer): boolean => data.length === 12 && data.toString("latin1", 0, 5) === "Adobe";

function frameOf(data: Buffer): { width: number; height: number } | undefined {
  const count = data[5] ?? 0;
  if (data.length !== 6 + 3 * count || data[0] !== 8 || ![1, 3, 4].includes(count)) return undefined;
  return { height: data.readUInt16BE(1), width: data.readUInt16BE(3) };
}
/** Where the packed pixels end: at a marker that is neither a stuffed byte nor a restart. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}
