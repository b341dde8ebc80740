import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { cleanPicture } from "./clean-picture.ts";

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
const PLAIN = jpeg(QUANT, frame(20, 10), HUFFMAN, SCAN);
const EXIF = segment(0xe1, text("Exif\0\0GPS 30.65,104.08 <script>alert(1)</script>"));
const PNG = png(head(20, 10), pixels(20, 10), END);
const COLOURS = png(
  head(20, 10),
  chunk("gAMA", Buffer.alloc(4, 1)),
  chunk("sRGB", Buffer.alloc(1)),
  chunk("PLTE", Buffer.alloc(768, 7)),
  chunk("tRNS", Buffer.alloc(256, 9)),
  pixels(20, 10),
  END,
);

test.each<[string, Buffer, Buffer]>([
  ["a PNG", PNG, PNG],
  ["a PNG of 256 colours", COLOURS, COLOURS],
  ["a JPEG", PLAIN, PLAIN],
  [
    "a progressive JPEG in two scans",
    jpeg(QUANT, frame(20, 10, 0xc2), SCAN, HUFFMAN, SCAN),
    jpeg(QUANT, frame(20, 10, 0xc2), SCAN, HUFFMAN, SCAN),
  ],
  [
    "places and programs of a JPEG",
    jpeg(
      EXIF,
      segment(0xe2, text("MPF")),
      segment(0xed, text("Photoshop 3.0")),
      QUANT,
      frame(20, 10),
      segment(0xfe, text("<?php system($_GET[0]);?>")),
      HUFFMAN,
      SCAN,
    ),
    PLAIN,
  ],
  [
    "a thumbnail in a JFIF head",
    jpeg(segment(0xe0, Buffer.concat([text("JFIF\0"), Buffer.alloc(300, 7)])), QUANT, frame(20, 10), HUFFMAN, SCAN),
    PLAIN,
  ],
  ["a page behind a JPEG", Buffer.concat([PLAIN, text("<html><script>alert(1)</script>")]), PLAIN],
  [
    "words of a PNG",
    png(
      head(20, 10),
      chunk("tEXt", text("Comment\0<script>alert(1)</script>")),
      chunk("eXIf", text("GPS")),
      chunk("iTXt", text("XML:com.adobe.xmp")),
      pixels(20, 10),
      chunk("tIME", Buffer.alloc(7)),
      END,
    ),
    PNG,
  ],
])("of %s nothing stays but what draws it", async (_name, given, kept) => {
  const found = await clean(given);
  if (found === undefined || found === "large") throw new Error("refused");
  expect([found.width, found.height, found.bytes.equals(kept)]).toEqual([20, 10, true]);
  expect(await clean(found.bytes)).toEqual(found);
});

test("Adobe's word about colours stays, for without it they are others", async () => {
  const adobe = segment(0xee, Buffer.concat([text("Adobe"), Buffer.from([0, 100, 0, 0, 0, 0, 1])]));
  const found = await clean(jpeg(adobe, QUANT, frame(20, 10), SCAN));
  expect(typeof found === "object" && found.bytes.includes(adobe)).toBe(true);
});

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
  ["a PNG with an archive behind it", Buffer.concat([PNG, text("PK\x03\x04archive")])],
  ["a PNG with a page behind it", Buffer.concat([PNG, text("<script>alert(1)</script>")])],
  ["a PNG with a picture behind it", Buffer.concat([PNG, PLAIN])],
  ["a PNG without its end", png(head(20, 10), pixels(20, 10))],
  ["a PNG cut off", PNG.subarray(0, 50)],
  ["a PNG without pixels", png(head(20, 10), END)],
  ["a PNG whose head is elsewhere", png(pixels(20, 10), head(20, 10), END)],
  ["a PNG of two heads", png(head(20, 10), head(20, 10), pixels(20, 10), END)],
  ["a PNG with a part nobody knows", png(head(20, 10), chunk("EVIL", text("x")), pixels(20, 10), END)],
  ["a PNG whose pixels stand apart", png(head(20, 10), pixels(20, 10), chunk("tEXt", text("a\0b")), pixels(20, 10), END)],
  ["a PNG with a wrong sum", Buffer.concat([PNG.subarray(0, 29), Buffer.from([1, 2, 3, 4]), PNG.subarray(33)])],
  ["a PNG with an end that holds something", png(head(20, 10), pixels(20, 10), chunk("IEND", text("<script>")))],
  [
    "a PNG whose part is longer than the file",
    png(head(20, 10), Buffer.from([0x7f, 0xff, 0xff, 0xff, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0])),
  ],
  ["a PNG of no width", png(head(0, 10), pixels(20, 10), END)],
  ["a PNG of an unknown depth", png(head(20, 10, [3, 2, 0, 0, 0]), pixels(20, 10), END)],
  ["a PNG of an unknown packing", png(head(20, 10, [8, 2, 1, 0, 0]), pixels(20, 10), END)],
  ["a PNG whose pixels are no pixels", png(head(20, 10), chunk("IDAT", text("<script>alert(1)</script>")), END)],
  ["a PNG with fewer pixels than it says", png(head(2_000, 2_000), pixels(20, 10), END)],
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
  ["a JPEG by its first bytes", Buffer.concat([Buffer.from([0xff, 0xd8]), text("<script>alert(1)</script>"), Buffer.from([0xff, 0xd9])])],
  ["a JPEG of its ends alone", jpeg()],
  ["a JPEG of words alone", jpeg(EXIF, EXIF)],
  ["a JPEG without a frame", jpeg(QUANT, HUFFMAN, SCAN)],
  ["a JPEG without pixels", jpeg(QUANT, frame(20, 10), HUFFMAN)],
  ["a JPEG of two frames", jpeg(QUANT, frame(20, 10), frame(4_000, 4_000), SCAN)],
  ["a JPEG without its end", PLAIN.subarray(0, -2)],
  ["a JPEG cut off", PLAIN.subarray(0, 90)],
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
  ["a JPEG of 65,535 on each side", jpeg(QUANT, frame(65_535, 65_535), SCAN)],
])("%s is too large, before anything of it is unpacked", async (_name, given) => {
  expect(await clean(given)).toBe("large");
});

test("of 3,000 pictures with bytes changed, cut and put in, each is refused or comes out clean", async () => {
  const full = [
    jpeg(EXIF, QUANT, frame(20, 10), HUFFMAN, SCAN),
    png(head(20, 10), chunk("tEXt", text("Comment\0<script>")), pixels(20, 10), END),
  ];
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
    expect(found.bytes.includes("Comment") || found.bytes.includes("Exif")).toBe(false);
    expect(await clean(found.bytes)).toEqual(found);
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
  "a phone's picture stays the way up it was taken, and loses everything else it says (%s)",
  async (order) => {
    for (const turn of [2, 3, 6, 8]) {
      const picture = await clean(jpeg(camera(turn, order), QUANT, frame(20, 10), HUFFMAN, SCAN));
      if (!picture || picture === "large") throw new Error("refused");
      expect([picture.width, picture.height]).toEqual(turn >= 5 ? [10, 20] : [20, 10]);
      expect(picture.bytes.includes("GPS")).toBe(false);
      // Clean is clean: what comes out goes through unchanged.
      expect(await clean(picture.bytes)).toEqual(picture);
      expect(picture.bytes.length).toBe(PLAIN.length + 36);
    }
    expect(await clean(jpeg(camera(1, order), QUANT, frame(20, 10), HUFFMAN, SCAN))).toMatchObject({ bytes: PLAIN, width: 20, height: 10 });
    expect(await clean(jpeg(camera(77, order), QUANT, frame(20, 10), HUFFMAN, SCAN))).toMatchObject({ bytes: PLAIN });
  },
);
