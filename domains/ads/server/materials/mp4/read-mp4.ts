import { type Box, boxesIn, boxesOf, broken, MOST_BOXES, NoFilm, type Source } from "./boxes.ts";
import { readSps } from "./read-sps.ts";

/** A film that may play. */
export interface Film {
  /** As it is shown: turned where the film says so. */
  readonly width: number;
  readonly height: number;
  readonly duration_ms: number;
  /** Boxes that don't play it: places, names and remarks. They become empty ones of the same size, so that nothing moves. */
  readonly wiped: readonly Box[];
}
export interface FilmLimits {
  readonly side: number;
  readonly pixels: number;
  readonly duration_ms: number;
}

/** Heads are small: one of an hour's film is below a megabyte. */
const MOST_HEAD_BYTES = 8_000_000;
const MOST_TRACKS = 8;
/** What plays a film, by where it stands; `stsd` is read by its own rule. Everything else is wiped. */
const PLAYS: Readonly<Record<string, ReadonlySet<string>>> = {
  moov: new Set(["mvhd", "iods", "trak"]),
  trak: new Set(["tkhd", "edts", "tref", "mdia"]),
  edts: new Set(["elst"]),
  mdia: new Set(["mdhd", "hdlr", "minf"]),
  minf: new Set(["vmhd", "smhd", "dinf", "stbl"]),
  dinf: new Set(["dref"]),
  stbl: new Set(["stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stps", "sdtp", "sgpd", "sbgp", "subs"]),
};
/** Baseline, main, extended-free and high, 8 bits: what the players at the tills know. */
const PROFILES = new Set([66, 77, 100]);

/** A tree of the boxes that play it. */
interface Node extends Box {
  readonly inside: readonly Node[];
}

/**
 * Looks into an MP4 by its boxes, reading its head alone: H.264 with AAC or without sound, whole, everything in the file itself, and no larger
 * or longer than it may be. Written here because what libraries there are bring a whole toolbox or have not been kept.
 * @throws NoFilm with words for whoever uploads it
 */
export async function readMp4(source: Source, limits: FilmLimits): Promise<Film> {
  const outer = await boxesOf(source);
  const [first] = outer;
  if (first?.type !== "ftyp" || first.end - first.at > 256) throw new NoFilm("只支持 MP4 视频");
  if ((await source.read(first.body, 4)).toString("latin1") === "qt  ") throw new NoFilm("只支持 MP4 视频，请把 MOV 导出为 MP4");
  if (outer.some(({ type }) => type === "moof" || type === "styp" || type === "sidx"))
    throw new NoFilm("不支持分段的 MP4，请导出为普通 MP4");
  const [moov, second] = outer.filter(({ type }) => type === "moov");
  const data = outer.filter(({ type }) => type === "mdat");
  if (!moov || second || data.length === 0 || moov.end - moov.at > MOST_HEAD_BYTES) throw broken();
  const head = await source.read(moov.at, moov.end - moov.at);
  const wiped = outer.filter(({ type }) => !["ftyp", "moov", "mdat"].includes(type));
  const tree = treeOf(head, moov.at, moov, { wiped, boxes: 0 });
  const at = (box: Box): Buffer => head.subarray(box.body - moov.at, box.end - moov.at);
  const tracks = tree.inside.filter(({ type }) => type === "trak");
  if (tracks.length > MOST_TRACKS) throw broken();
  const kinds = tracks.map((track) => at(one(track, "mdia", "hdlr")).toString("latin1", 8, 12));
  if (kinds.some((kind) => kind !== "vide" && kind !== "soun")) throw new NoFilm("视频含有画面和声音以外的轨道（如位置记录），请重新导出");
  const films = tracks.filter((_track, place) => kinds[place] === "vide");
  const [film] = films;
  if (!film) throw new NoFilm("视频里没有画面");
  if (films.length > 1) throw new NoFilm("视频含有多条画面轨道，请重新导出");
  for (const track of tracks) checkSamples(track, at, data);
  for (const track of tracks.filter((_track, place) => kinds[place] === "soun")) checkSound(at(one(track, ...STBL, "stsd")));
  const picture = pictureOf(at(one(film, ...STBL, "stsd")));
  const turned = isTurned(at(one(film, "tkhd")));
  const [width, height] = turned ? [picture.height, picture.width] : [picture.width, picture.height];
  if (width > limits.side || height > limits.side || width * height > limits.pixels) throw new NoFilm(`视频画面 ${width} × ${height} 过大`);
  const duration_ms = Math.round(
    Math.max(lengthOf(at(one(tree, "mvhd"))), ...tracks.map((track) => lengthOf(at(one(track, "mdia", "mdhd"))))),
  );
  if (duration_ms < 1) throw broken();
  if (duration_ms > limits.duration_ms) throw new NoFilm(`视频时长不能超过 ${limits.duration_ms / 60_000} 分钟`);
  return { width, height, duration_ms, wiped };
}
const STBL = ["mdia", "minf", "stbl"] as const;

/** What plays it as a tree; the rest is put down to be wiped. */
function treeOf(bytes: Buffer, base: number, box: Box, found: { readonly wiped: Box[]; boxes: number }): Node {
  const plays = PLAYS[box.type];
  if (!plays) return { ...box, inside: [] };
  const inside = boxesIn(bytes, base, box.body, box.end);
  found.boxes += inside.length;
  if (found.boxes > MOST_BOXES) throw broken();
  if (inside.some(({ type }) => type === "mvex")) throw new NoFilm("不支持分段的 MP4，请导出为普通 MP4");
  found.wiped.push(...inside.filter(({ type }) => !plays.has(type)));
  return { ...box, inside: inside.filter(({ type }) => plays.has(type)).map((child) => treeOf(bytes, base, child, found)) };
}
/** The one box at the end of a way. */
function one(node: Node, ...way: readonly string[]): Node {
  return way.reduce((from, type) => {
    const [found, second] = from.inside.filter((child) => child.type === type);
    if (!found || second) throw broken();
    return found;
  }, node);
}
function u32(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) throw broken();
  return bytes.readUInt32BE(at);
}
/** Milliseconds of `mvhd` or `mdhd`; both begin alike. */
function lengthOf(body: Buffer): number {
  const long = body[0] === 1;
  const scale = u32(body, long ? 20 : 12);
  const units = long ? u32(body, 24) * 2 ** 32 + u32(body, 28) : u32(body, 16);
  if (scale === 0) throw broken();
  return (units / scale) * 1_000;
}
/** Whether it is shown a quarter turned: the matrix of `tkhd`. */
function isTurned(body: Buffer): boolean {
  const matrix = body[0] === 1 ? 52 : 40;
  return u32(body, matrix) === 0 && u32(body, matrix + 16) === 0 && u32(body, matrix + 4) !== 0;
}

/** Everything that is shown or heard lies in this file: no other file is named, and no piece lies behind what is there. */
function checkSamples(track: Node, at: (box: Box) => Buffer, data: readonly Box[]): void {
  const refs = at(one(track, "mdia", "minf", "dinf", "dref"));
  // Each reference: size, kind, flags; the lowest flag says 'in this file'.
  for (let place = 8, left = u32(refs, 4); left > 0; left--) {
    if (u32(refs, place) < 12 || (u32(refs, place + 8) & 1) !== 1) throw new NoFilm("视频引用了其他文件，请重新导出");
    place += u32(refs, place);
  }
  const table = one(track, ...STBL);
  const sizes = at(table.inside.find(({ type }) => type === "stsz") ?? one(table, "stz2"));
  const [count, same] = [u32(sizes, 8), table.inside.some(({ type }) => type === "stsz") ? u32(sizes, 4) : 0];
  if (count === 0 || (same === 0 && table.inside.some(({ type }) => type === "stsz") && sizes.length < 12 + count * 4)) throw broken();
  const long = table.inside.find(({ type }) => type === "co64");
  const chunks = at(long ?? one(table, "stco"));
  const [step, total] = [long ? 8 : 4, u32(chunks, 4)];
  if (total === 0 || chunks.length < 8 + total * step) throw broken();
  for (let chunk = 0; chunk < total; chunk++) {
    const place = 8 + chunk * step;
    const from = long ? u32(chunks, place) * 2 ** 32 + u32(chunks, place + 4) : u32(chunks, place);
    if (!data.some(({ body, end }) => from >= body && from < end)) throw broken();
  }
}
/** The one description of a track's samples: its kind and the boxes behind its fixed part. */
function entryOf(body: Buffer): { readonly kind: string; readonly entry: Buffer } {
  if (u32(body, 4) !== 1) throw new NoFilm("视频中途改变了格式，请重新导出");
  const entry = body.subarray(8);
  if (u32(entry, 0) !== entry.length || entry.length < 16) throw broken();
  return { kind: entry.toString("latin1", 4, 8), entry };
}
function checkSound(body: Buffer): void {
  if (entryOf(body).kind !== "mp4a") throw new NoFilm("声音只支持 AAC");
}
/** The size of the pictures, from what their decoder is told. */
function pictureOf(body: Buffer): { width: number; height: number } {
  const { kind, entry } = entryOf(body);
  if (kind !== "avc1" && kind !== "avc3") throw new NoFilm("视频只支持 H.264 编码");
  const set = boxesIn(entry, 0, 86, entry.length).find(({ type }) => type === "avcC");
  if (!set) throw broken();
  const config = entry.subarray(set.body, set.end);
  if (config.length < 9 || config[0] !== 1 || ((config[5] ?? 0) & 0x1f) === 0) throw broken();
  const sps = readSps(config.subarray(8, 8 + config.readUInt16BE(6)));
  if (!sps || sps.width < 1 || sps.height < 1) throw broken();
  if (!PROFILES.has(sps.profile)) throw new NoFilm("视频编码规格过高，请按 H.264 Main 或 High 导出");
  return sps;
}
