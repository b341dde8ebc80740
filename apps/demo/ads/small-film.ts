/** Paints one dot of a film: brightness and two colour differences (16 to 235 and 16 to 240). */
export type Paint = (x: number, y: number, second: number) => readonly [y: number, cb: number, cr: number];

/** Bits of a unit, most significant first. */
class Bits {
  readonly #bytes: number[] = [];
  #last = 0;
  #used = 0;
  put(value: number, count: number): this {
    for (let at = count - 1; at >= 0; at--) {
      this.#last = (this.#last << 1) | ((value >> at) & 1);
      if (++this.#used === 8) {
        this.#bytes.push(this.#last);
        [this.#last, this.#used] = [0, 0];
      }
    }
    return this;
  }
  golomb(...values: number[]): this {
    for (const value of values) {
      const size = 32 - Math.clz32(value + 1);
      this.put(0, size - 1).put(value + 1, size);
    }
    return this;
  }
  align(): this {
    return this.#used > 0 ? this.put(0, 8 - this.#used) : this;
  }
  raw(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }
  /** The unit with its head, its end and the bytes that keep start codes out of it. */
  unit(head: number): Buffer {
    this.put(1, 1).align();
    const out = [head];
    let zeros = 0;
    for (const byte of this.#bytes) {
      if (zeros >= 2 && byte <= 3) {
        out.push(3);
        zeros = 0;
      }
      out.push(byte);
      zeros = byte === 0 ? zeros + 1 : 0;
    }
    return Buffer.from(out);
  }
}

/**
 * A genuine small film: H.264 baseline, unpacked pictures, one a second, and between them frames that say 'as before'.
 * No encoder is at hand where tests and the demo run, and a film in the repository could not be looked into.
 * @param size both sides are multiples of 16
 */
export function smallFilm(size: { readonly width: number; readonly height: number; readonly seconds: number }, paint: Paint): Buffer {
  const { width, height, seconds } = size;
  const [across, down] = [width / 16, height / 16];
  const sps = new Bits()
    .put(66, 8)
    .put(0xc0, 8)
    .put(30, 8)
    .golomb(0, 0, 2, 1)
    .put(0, 1)
    .golomb(across - 1, down - 1);
  const pps = new Bits().golomb(0, 0).put(0, 2).golomb(0, 0, 0).put(0, 3).golomb(0, 0, 0).put(0b100, 3);
  const sets = [sps.put(0b1100, 4).unit(0x67), pps.unit(0x68)] as const;
  const frames: Buffer[] = [];
  for (let at = 0; at < seconds * FPS; at++) {
    const unit = at % FPS === 0 ? drawn(across, down, (x, y) => paint(x, y, at / FPS)) : asBefore(across * down, at % FPS);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(unit.length);
    frames.push(Buffer.concat([length, unit]));
  }
  return mux(size, sets, frames);
}
const FPS = 10;

function drawn(across: number, down: number, paint: (x: number, y: number) => readonly [number, number, number]): Buffer {
  const slice = new Bits().golomb(0, 7, 0).put(0, 4).golomb(0).put(0, 2).golomb(0, 1);
  for (let block = 0; block < across * down; block++) {
    const [left, top] = [(block % across) * 16, Math.floor(block / across) * 16];
    const dots = (step: number, part: 0 | 1 | 2): number[] =>
      Array.from(
        { length: (16 / step) ** 2 },
        (_, n) => paint(left + (n % (16 / step)) * step, top + Math.floor(n / (16 / step)) * step)[part],
      );
    slice.golomb(25).align().raw(dots(1, 0)).raw(dots(2, 1)).raw(dots(2, 2));
  }
  return slice.unit(0x65);
}
const asBefore = (blocks: number, place: number): Buffer =>
  new Bits()
    .golomb(0, 5, 0)
    .put(place % 16, 4)
    .put(0, 3)
    .golomb(0, 1, blocks)
    .unit(0x41);

const u16 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => Buffer.from([(value >> 8) & 255, value & 255])));
const u32 = (...values: number[]): Buffer => Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536), value % 65_536)));
const text = (given: string): Buffer => Buffer.from(given, "latin1");
/** A box of an MP4. @example box("moov", box("mvhd", …)) */
export const box = (type: string, ...parts: Buffer[]): Buffer =>
  Buffer.concat([u32(8 + parts.reduce((all, { length }) => all + length, 0)), text(type), ...parts]);
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

function mux(
  size: { width: number; height: number; seconds: number },
  [sps, pps]: readonly [Buffer, Buffer],
  frames: readonly Buffer[],
): Buffer {
  const { width, height, seconds } = size;
  const ftyp = box("ftyp", text("isom"), u32(512), text("isomavc1mp41"));
  const avcC = box("avcC", Buffer.from([1, 66, 0xc0, 30, 0xff, 0xe1]), u16(sps.length), sps, Buffer.from([1]), u16(pps.length), pps);
  const avc1 = box(
    "avc1",
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    avcC,
  );
  const keys = Array.from({ length: seconds }, (_, second) => second * FPS + 1);
  const table = (offset: number): Buffer =>
    box(
      "stbl",
      box("stsd", u32(0, 1), avc1),
      box("stts", u32(0, 1, frames.length, 1_000 / FPS)),
      box("stss", u32(0, keys.length, ...keys)),
      box("stsc", u32(0, 1, 1, frames.length, 1)),
      box("stsz", u32(0, 0, frames.length, ...frames.map(({ length }) => length))),
      box("stco", u32(0, 1, offset)),
    );
  const moov = (offset: number): Buffer =>
    box(
      "moov",
      box("mvhd", u32(0, 0, 0, 1_000, seconds * 1_000, 0x10000), u16(0x100, 0), u32(0, 0), MATRIX, Buffer.alloc(24), u32(2)),
      box(
        "trak",
        box("tkhd", u32(3, 0, 0, 1, 0, seconds * 1_000, 0, 0), u16(0, 0, 0, 0), MATRIX, u32(width * 65_536, height * 65_536)),
        box(
          "mdia",
          box("mdhd", u32(0, 0, 0, 1_000, seconds * 1_000), u16(0x55c4, 0)),
          box("hdlr", u32(0, 0), text("vide"), Buffer.alloc(13)),
          box("minf", box("vmhd", u32(1, 0, 0)), box("dinf", box("dref", u32(0, 1), box("url ", u32(1)))), table(offset)),
        ),
      ),
    );
  const offset = ftyp.length + moov(0).length + 8;
  return Buffer.concat([ftyp, moov(offset), box("mdat", ...frames)]);
}
