import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { cleanPicture, smallerPicture } from "./clean-picture.ts";

const LIMITS = { side: 4_096, pixels: 8_000_000 };
const clean = (bytes: Buffer) => cleanPicture(bytes, LIMITS);
const text = (given: string) => Buffer.from(given, "latin1");

function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length);
  made.write(type, 4, "latin1");
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
}
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
function head(width: number, height: number, more: readonly number[] = [8, 2, 0, 0, 0]): Buffer {
  const made = Buffer.alloc(13);
  made.writeUInt32BE(width);
  made.writeUInt32BE(height, 4);
  Buffer.from(more).copy(made, 8);
  return chunk("IHDR", made);
}
const rows = (width: number, height: number) => Buffer.alloc(height * (1 + 3 * width), 1);
const pixels = (width: number, height: number) => chunk("IDAT", deflateSync(rows(width, height)));
const END = chunk("IEND", Buffer.alloc(0));
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);

const segment = (marker: number, data: Buffer) => {
  const made = Buffer.alloc(4 + data.length);
  made.writeUInt16BE(0xff00 + marker);
  made.writeUInt16BE(2 + data.length, 2);
  data.copy(made, 4);
  return made;
};
function frame(width: number, height: number, marker = 0xc0): Buffer {
  const data = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  data.writeUInt16BE(height, 1);
  data.writeUInt16BE(width, 3);
  return segment(marker, data);
}
const QUANT = segment(0xdb, Buffer.alloc(65, 1));
const HUFFMAN = segment(0xc4, Buffer.alloc(29, 1));
// Packed pixels with a stuffed 0xff and a restart in them.
const SCAN = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([1, 2, 0xff, 0, 3, 0xff, 0xd0, 4])]);
const jpeg = (...parts: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]);
const EXIF = segment(0xe1, text("Exif\0\0GPS 30.65,104.08 <script>alert(1)</script>"));
const PNG = png(head(20, 10), pixels(20, 10), END);
/** A photo: a slope from dark to light across, and another down. */
function slopes(width: number, height: number) {
  const bytes = Buffer.from(
    Array.from({ length: width * height * 3 }, (_none, n) => (n % 3 ? (n / 3 / width) | 0 : ((n / 3) | 0) % width) % 256),
  );
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}
const PHOTO = await slopes(20, 10).jpeg().toBuffer();
const PROGRESSIVE = await slopes(20, 10).jpeg({ progressive: true }).toBuffer();
/** A photo with more parts behind its first two bytes. */
const photo = (...parts: Buffer[]) => Buffer.concat([PHOTO.subarray(0, 2), ...parts, PHOTO.subarray(2)]);
/** A grey line of the colours in a PNG of one byte for each pixel. */
const palette = (...more: Buffer[]) => png(head(20, 10, [8, 3, 0, 0, 0]), ...more, chunk("IDAT", deflateSync(Buffer.alloc(10 * 21))), END);
const HIDDEN = ["script", "GPS", "Exif", "EXIF", "XMP", "ICCP", "Comment", "archive", "MPF", "php"];

/** What comes out: the size it has, and its bytes. */
async function cleaned(given: Buffer) {
  const found = await clean(given);
  if (found === undefined || found === "large") throw new Error("refused");
  const head = await sharp(found.bytes).metadata();
  expect([head.format, head.width, head.height, head.exif, head.xmp, head.icc]).toEqual([
    "webp",
    found.width,
    found.height,
    undefined,
    undefined,
    undefined,
  ]);
  expect(HIDDEN.filter((word) => found.bytes.includes(word))).toEqual([]);
  return found;
}

test.each<[string, Buffer]>([
  ["a PNG", PNG],
  ["a PNG of 256 colours", palette(chunk("PLTE", Buffer.alloc(768, 7)), chunk("tRNS", Buffer.alloc(256, 9)))],
  ["a JPEG", PHOTO],
  ["a progressive JPEG", PROGRESSIVE],
  [
    "a JPEG with places and programs",
    photo(EXIF, segment(0xe2, text("MPF")), segment(0xed, text("Photoshop 3.0")), segment(0xfe, text("<?php system($_GET[0]);?>script"))),
  ],
  ["a JPEG with a thumbnail", photo(segment(0xe0, Buffer.concat([text("JFIF\0script"), Buffer.alloc(300, 7)])))],
  ["a JPEG with a page behind it", Buffer.concat([PHOTO, text("<html><script>alert(1)</script>")])],
  [
    "a PNG with words",
    png(
      head(20, 10),
      chunk("tEXt", text("Comment\0<script>alert(1)</script>")),
      chunk("eXIf", text("GPS")),
      chunk("iTXt", text("XML:com.adobe.xmp")),
      pixels(20, 10),
      chunk("tIME", Buffer.alloc(7)),
      END,
    ),
  ],
  // What is wrong with these draws nothing, so nothing of it comes out.
  ["a PNG with an archive behind it", Buffer.concat([PNG, text("PK\x03\x04archive")])],
  ["a PNG with a page behind it", Buffer.concat([PNG, text("<script>alert(1)</script>")])],
  ["a PNG with a picture behind it", Buffer.concat([PNG, PHOTO])],
  ["a PNG without its end", png(head(20, 10), pixels(20, 10))],
  ["a PNG whose pixels stand apart", png(head(20, 10), pixels(20, 10), chunk("tEXt", text("Comment\0b")), pixels(20, 10), END)],
  ["a PNG with an end that holds something", png(head(20, 10), pixels(20, 10), chunk("IEND", text("<script>")))],
  ["a PNG that unpacks without end", png(head(20, 10), chunk("IDAT", deflateSync(Buffer.alloc(100_000_000))), END)],
  [
    "a PNG with a page behind its packed pixels",
    png(head(20, 10), chunk("IDAT", Buffer.concat([deflateSync(rows(20, 10)), text("<script>alert(1)</script>")])), END),
  ],
  ["a PNG with a page in pixels of their own", png(head(20, 10), pixels(20, 10), chunk("IDAT", text("<script>")), END)],
  ["a PNG of more than 256 colours", png(head(20, 10), chunk("PLTE", Buffer.alloc(771)), pixels(20, 10), END)],
  ["a PNG with a part of a colour", png(head(20, 10), chunk("PLTE", text("<script>")), pixels(20, 10), END)],
  ["a PNG of two palettes", png(head(20, 10), chunk("PLTE", Buffer.alloc(3)), chunk("PLTE", Buffer.alloc(3)), pixels(20, 10), END)],
  ["a PNG of more than 256 transparencies", png(head(20, 10), chunk("tRNS", Buffer.alloc(257)), pixels(20, 10), END)],
  ["a PNG with words for its brightness", png(head(20, 10), chunk("gAMA", text("<script>")), pixels(20, 10), END)],
])("of %s nothing stays but its pixels", async (_name, given) => {
  const found = await cleaned(given);
  expect([found.width, found.height, found.bytes.length < 1_000]).toEqual([20, 10, true]);
});

test("the pixels stay what they were, what is transparent stays so, and other colours become those of screens", async () => {
  const [was, is] = await Promise.all([PHOTO, (await cleaned(PHOTO)).bytes].map((one) => sharp(one).raw().toBuffer()));
  const off = was!.reduce((most, value, n) => Math.max(most, Math.abs(value - is![n]!)), 0);
  expect(off).toBeLessThan(24);
  const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: "#f008" } })
    .png()
    .toBuffer();
  expect([
    ...(
      await sharp((await cleaned(clear)).bytes)
        .raw()
        .toBuffer()
    ).subarray(3, 4),
  ]).toEqual([0x88]);
  const print = await slopes(8, 8).toColourspace("cmyk").jpeg().toBuffer();
  expect((await sharp((await cleaned(print)).bytes).metadata()).space).toBe("srgb");
});

test("a smaller one fits the side asked for and keeps its shape; a small one stays as it is", async () => {
  const found = await cleaned(await slopes(400, 100).jpeg().toBuffer());
  const { width, height, format } = await sharp(await smallerPicture(found, 200)).metadata();
  expect([width, height, format]).toEqual([200, 50, "webp"]);
  expect(await smallerPicture(found, 400)).toBe(found.bytes);
});

/** The last pass over a progressive JPEG's pixels, with its head. */
const lastScan = (bytes: Buffer) => bytes.subarray(bytes.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ["nothing", Buffer.alloc(0)],
  ["a page", text("<!doctype html><script>alert(1)</script>")],
  ["an SVG", text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ["an XML with an entity", text('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>')],
  ["a GIF that is a script", text("GIF89a/*\x01\x00\x00*/=alert(1)//;")],
  ["a GIF", Buffer.concat([text("GIF89a"), Buffer.alloc(40)])],
  ["a BMP that is a script", text("BM/*............*/=1;alert(1)//")],
  ["a WebP", Buffer.concat([text("RIFF"), Buffer.alloc(4), text("WEBPVP8 "), Buffer.alloc(40)])],
  ["a TIFF", Buffer.concat([text("II*\0"), Buffer.alloc(60)])],
  ["a PDF", text("%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>")],
  ["an archive", Buffer.concat([text("PK\x03\x04"), Buffer.alloc(60)])],
  ["a program", Buffer.concat([text("MZ"), Buffer.alloc(80)])],
  ["a PNG by its first bytes", Buffer.concat([SIGNATURE, text("<script>alert(1)</script>"), Buffer.alloc(40)])],
  ["a PNG cut off", PNG.subarray(0, 50)],
  ["a PNG without pixels", png(head(20, 10), END)],
  ["a PNG whose head is elsewhere", png(pixels(20, 10), head(20, 10), END)],
  ["a PNG of two heads", png(head(20, 10), head(20, 10), pixels(20, 10), END)],
  ["a PNG with a part nobody knows", png(head(20, 10), chunk("EVIL", text("x")), pixels(20, 10), END)],
  ["a PNG with a wrong sum", Buffer.concat([PNG.subarray(0, 29), Buffer.from([1, 2, 3, 4]), PNG.subarray(33)])],
  [
    "a PNG whose part is longer than the file",
    png(head(20, 10), Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0])),
  ],
  ["a PNG of no width", png(head(0, 10), pixels(20, 10), END)],
  ["a PNG of an unknown depth", png(head(20, 10, [3, 2, 0, 0, 0]), pixels(20, 10), END)],
  ["a PNG of an unknown packing", png(head(20, 10, [8, 2, 1, 0, 0]), pixels(20, 10), END)],
  ["a PNG whose pixels are no pixels", png(head(20, 10), chunk("IDAT", text("<script>alert(1)</script>")), END)],
  ["a PNG with fewer pixels than it says", png(head(2_000, 2_000), pixels(20, 10), END)],
  ["a JPEG by its first bytes", Buffer.concat([Buffer.from([0xff, 0xd8]), text("<script>alert(1)</script>"), Buffer.from([0xff, 0xd9])])],
  ["a JPEG of its ends alone", jpeg()],
  ["a JPEG of words alone", jpeg(EXIF, EXIF)],
  ["a JPEG without a frame", jpeg(QUANT, HUFFMAN, SCAN)],
  ["a JPEG without pixels", jpeg(QUANT, frame(20, 10), HUFFMAN)],
  ["a JPEG of two frames", jpeg(QUANT, frame(20, 10), frame(4_000, 4_000), SCAN)],
  ["a JPEG without its end", PHOTO.subarray(0, -2)],
  ["a JPEG cut off", PHOTO.subarray(0, 200)],
  [
    "a progressive JPEG whose last scan comes over and over",
    Buffer.concat([PROGRESSIVE.subarray(0, -2), ...Array<Buffer>(5_000).fill(lastScan(PROGRESSIVE)), PROGRESSIVE.subarray(-2)]),
  ],
  ["a lossless JPEG", jpeg(QUANT, frame(20, 10, 0xc3), SCAN)],
  ["an arithmetic JPEG", jpeg(QUANT, frame(20, 10, 0xc9), SCAN)],
  ["a JPEG whose part has no length", jpeg(Buffer.from([0xff, 0xe1, 0, 0]), frame(20, 10), SCAN)],
  ["a JPEG whose part is longer than the file", jpeg(Buffer.from([0xff, 0xe1, 0xff, 0xff]), frame(20, 10), SCAN)],
  ["a JPEG of no height", jpeg(QUANT, frame(20, 0), SCAN)],
  ["a JPEG with a frame of another length", jpeg(QUANT, segment(0xc0, Buffer.from([8, 0, 10, 0, 20, 3, 1, 0x11, 0])), SCAN)],
  ["a JPEG of twelve bits", jpeg(QUANT, segment(0xc0, Buffer.from([12, 0, 10, 0, 20, 1, 1, 0x11, 0])), SCAN)],
];
test.each(HOSTILE)("%s is no picture", async (_name, given) => {
  expect(await clean(given)).toBeUndefined();
});

test.each<[string, Buffer]>([
  ["a wide PNG", png(head(60_000, 1), pixels(20, 10), END)],
  ["a PNG of two thousand million pixels in a few bytes", png(head(46_000, 46_000), chunk("IDAT", deflateSync(Buffer.alloc(1_000))), END)],
  ["a PNG of nine million pixels", png(head(3_000, 3_000), pixels(20, 10), END)],
  ["a JPEG of 65,500 on each side", jpeg(QUANT, frame(65_500, 65_500), SCAN)],
])("%s is too large, before anything of it is unpacked", async (_name, given) => {
  expect(await clean(given)).toBe("large");
});

test("of 3,000 pictures with bytes changed, cut and put in, each is refused or comes out clean", async () => {
  const full = [photo(EXIF), png(head(20, 10), chunk("tEXt", text("Comment\0<script>")), pixels(20, 10), END)];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  let kept = 0;
  for (let n = 0; n < 3_000; n++) {
    let bytes = Buffer.from(full[n % 2]!);
    for (let change = 0; change <= random(3); change++) {
      const at = random(bytes.length);
      if (random(3) === 0) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(20))]);
      else if (random(2) === 0) bytes = Buffer.concat([bytes.subarray(0, at), text("\xff\xd8\xff<script>"), bytes.subarray(at)]);
      else bytes[at] = random(256);
    }
    const found = await clean(bytes);
    if (found === undefined || found === "large") continue;
    kept += 1;
    expect(HIDDEN.filter((word) => found.bytes.includes(word))).toEqual([]);
  }
  expect(kept).toBeGreaterThan(50);
});

/** What a phone writes: its place, and which way up it was held. */
function camera(turn: number, order: "II" | "MM"): Buffer {
  const made = Buffer.alloc(26);
  const [short, long] =
    order === "II"
      ? [(value: number, at: number) => made.writeUInt16LE(value, at), (value: number, at: number) => made.writeUInt32LE(value, at)]
      : [(value: number, at: number) => made.writeUInt16BE(value, at), (value: number, at: number) => made.writeUInt32BE(value, at)];
  made.write(order, 0, "latin1");
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x0112, 10);
  short(3, 12);
  long(1, 14);
  short(turn, 18);
  return segment(0xe1, Buffer.concat([text("Exif\0\0"), made, text("GPS 30.65,104.08")]));
}

test.each(["II", "MM"] as const)(
  "a phone's picture stands the way up it was taken, and loses everything else it says (%s)",
  async (order) => {
    // Its dark side is on the left where the phone was held upright.
    const dark = async (given: Buffer) => (await sharp(given).greyscale().resize(1, 2, { fit: "fill" }).raw().toBuffer()).at(0)! < 100;
    const half = await sharp({ create: { width: 20, height: 10, channels: 3, background: "#fff" } })
      .composite([{ input: { create: { width: 10, height: 10, channels: 3, background: "#000" } }, left: 0, top: 0 }])
      .jpeg()
      .toBuffer();
    const held = (turn: number) => Buffer.concat([half.subarray(0, 2), camera(turn, order), half.subarray(2)]);
    for (const turn of [1, 2, 3, 6, 8, 77]) {
      const { width, height, bytes } = await cleaned(held(turn));
      const across = turn === 6 || turn === 8;
      expect([width, height]).toEqual(across ? [10, 20] : [20, 10]);
      if (across) expect(await dark(bytes)).toBe(turn === 6);
    }
  },
);
