import { deflateSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { box, smallFilm } from "../../../../apps/demo/ads/small-film.ts";
import { chunk, png } from "../../../../apps/demo/ads/small-png.ts";
import { openWorld, type World } from "../../../accounts/server/world-for-tests.ts";
import { MATERIAL_LIMITS, type MaterialType } from "../../contract/index.ts";
import { uploadMaterial } from "./materials-for-tests.ts";
import { materialRoutes } from "./routes.ts";

// U2 of the reliability page: hostile files through the whole upload. What is taken is a picture or a film and holds nothing else.
let world: World;
let token: string;
beforeAll(async () => {
  world = await openWorld(materialRoutes);
  token = await world.signIn("sp01");
});
afterAll(() => world.close());

const SCRIPT = "<script>alert(document.domain)</script>";
const text = (given: string): Buffer => Buffer.from(given, "latin1");
const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};
const picture = (): Buffer => png(20, 20, [9, 9, 9]);
const SIGNATURE = picture().subarray(0, 8);
const header = (width: number, height: number, depth = 8, colour = 2, more: readonly number[] = [0, 0, 0]): Buffer =>
  chunk("IHDR", Buffer.concat([u32(width, height), Buffer.from([depth, colour, ...more])]));
const END = chunk("IEND", Buffer.alloc(0));
const pixels = (bytes: number): Buffer => chunk("IDAT", deflateSync(Buffer.alloc(bytes)));
const film = smallFilm({ width: 32, height: 16, seconds: 1 }, () => [90, 120, 130]);
/** The film with some bytes of it changed, counted from where a box is named. */
function changed(name: string, offset: number, bytes: Buffer, of: Buffer = film): Buffer {
  const copy = Buffer.from(of);
  const at = copy.indexOf(name, 0, "latin1");
  if (at < 0) throw new Error(`no ${name}`);
  bytes.copy(copy, at + offset);
  return copy;
}
const renamed = (from: string, to: string): Buffer => changed(from, 0, text(to));
/** The film with another box put into its head, whose sizes are counted anew; its samples move along. */
function inside(parent: string, extra: Buffer): Buffer {
  const grow = (name: string, bytes: Buffer): Buffer => {
    const at = bytes.indexOf(name, 0, "latin1") - 4;
    bytes.writeUInt32BE(bytes.readUInt32BE(at) + extra.length, at);
    return bytes;
  };
  const way: readonly string[] = { moov: ["moov"], trak: ["moov", "trak"], stbl: ["moov", "trak", "mdia", "minf", "stbl"] }[parent]!;
  const copy = way.reduce<Buffer>((bytes, name) => grow(name, bytes), Buffer.from(film));
  const at = copy.indexOf(parent, 0, "latin1") - 4;
  const end = at + copy.readUInt32BE(at) - extra.length;
  const stco = copy.indexOf("stco", 0, "latin1");
  copy.writeUInt32BE(copy.readUInt32BE(stco + 12) + extra.length, stco + 12);
  return Buffer.concat([copy.subarray(0, end), extra, copy.subarray(end)]);
}
const JPEG = text("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0");

const PNGS: Record<string, Buffer> = {
  "GIF with a script": text(`GIF89a/*${SCRIPT}*/=1;`),
  GIF: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
  SVG: text(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`),
  "SVG behind a declaration": text(`<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>`),
  HTML: text(`<!doctype html>${SCRIPT}`),
  "HTML behind a picture's first bytes": Buffer.concat([SIGNATURE, text(SCRIPT)]),
  "a script": text("alert(1)//"),
  "a shell script": text("#!/bin/sh\nid\n"),
  PHP: text("\x89PNG\r\n\x1a\n<?php system($_GET[0]); ?>"),
  PDF: text("%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>"),
  ZIP: text("PK\x03\x04\x14\0\0\0\x08\0"),
  "an executable": text("MZ\x90\0\x03\0\0\0"),
  ELF: text("\x7fELF\x02\x01\x01\0"),
  WebP: text("RIFF\x24\0\0\0WEBPVP8 "),
  AVIF: Buffer.concat([box("ftyp", text("avif"), u32(0), text("mif1"))]),
  TIFF: text("II*\0\x08\0\0\0"),
  BMP: text("BM\x46\0\0\0"),
  ICO: text("\0\0\x01\0\x01\0"),
  "nothing but zeros": Buffer.alloc(5_000),
  "a picture cut in the middle": picture().subarray(0, 40),
  "the signature alone": Buffer.from(SIGNATURE),
  "a wrong checksum": (() => {
    const bytes = picture();
    bytes[29] = (bytes[29] ?? 0) ^ 1;
    return bytes;
  })(),
  "a part as long as it can be": Buffer.concat([SIGNATURE, u32(0x7fffffff), text("IHDR")]),
  "a part longer than can be": Buffer.concat([SIGNATURE, u32(0xffffffff), text("IHDR")]),
  "no pixels": Buffer.concat([SIGNATURE, header(10, 10), END]),
  "no width": Buffer.concat([SIGNATURE, header(0, 10), pixels(10), END]),
  "a width below nothing": Buffer.concat([SIGNATURE, header(0x80000001, 1), pixels(10), END]),
  "fewer pixels than it says": Buffer.concat([SIGNATURE, header(1_000, 1_000), pixels(100), END]),
  "a bomb: 65,535 squared": Buffer.concat([SIGNATURE, header(65_535, 65_535), pixels(1_000), END]),
  "a bomb: a line of 2^31": Buffer.concat([SIGNATURE, header(0x7fffffff, 1), pixels(1_000), END]),
  "a bomb within the sides": Buffer.concat([SIGNATURE, header(8_192, 8_192), pixels(8_192), END]),
  "a depth that is none": Buffer.concat([SIGNATURE, header(10, 10, 7), pixels(310), END]),
  "a colour that is none": Buffer.concat([SIGNATURE, header(10, 10, 8, 5), pixels(310), END]),
  "a packing that is none": Buffer.concat([SIGNATURE, header(10, 10, 8, 2, [1, 0, 0]), pixels(310), END]),
  "two heads": Buffer.concat([SIGNATURE, header(10, 10), header(10, 10), pixels(310), END]),
  "a head behind the pixels": Buffer.concat([SIGNATURE, pixels(310), header(10, 10), END]),
};
/** Pictures in which something else stands too: they are drawn, it is not. */
const CARRIERS: Record<string, Buffer> = {
  "a picture without its end": picture().subarray(0, -12),
  "a script behind the end": Buffer.concat([picture(), text(SCRIPT)]),
  "a zip behind the end": Buffer.concat([picture(), text("PK\x03\x04")]),
  "two pictures in one": Buffer.concat([picture(), picture()]),
  "more pixels than it says": Buffer.concat([SIGNATURE, header(10, 10), pixels(1_000_000), END]),
  "a bomb: a hundred megabytes in a hundred kilobytes": Buffer.concat([SIGNATURE, header(100, 100), pixels(100_000_000), END]),
  "an unknown part that must be understood": png(5, 5, [1, 1, 1], ["EVIL", text(SCRIPT)]),
  "a script behind the packed pixels": Buffer.concat([
    SIGNATURE,
    header(10, 10),
    chunk("IDAT", Buffer.concat([deflateSync(Buffer.alloc(310)), text(SCRIPT)])),
    END,
  ]),
};
const JPEGS: Record<string, Buffer> = {
  "a JPEG's first bytes and a script": Buffer.concat([JPEG, text(SCRIPT)]),
  "a JPEG without pixels": Buffer.concat([JPEG, text("\xff\xd9")]),
  "a JPEG whose part runs over the end": text("\xff\xd8\xff\xe1\xff\xffExif"),
  "a JPEG of 65,535 squared": Buffer.concat([
    text("\xff\xd8\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0"),
    text("\xff\xda\0\x08\x01\x01\0\0\x3f\0\x12\x34\xff\xd9"),
  ]),
  "a JPEG without height": Buffer.concat([
    text("\xff\xd8\xff\xc0\0\x0b\x08\0\0\0\x10\x01\x01\x11\0"),
    text("\xff\xda\0\x08\x01\x01\0\0\x3f\0\x12\xff\xd9"),
  ]),
  "a script as a JPEG": text(SCRIPT),
  "a JPEG of arithmetic coding": Buffer.concat([text("\xff\xd8\xff\xc9\0\x0b\x08\0\x10\0\x10\x01\x01\x11\0"), text("\xff\xd9")]),
};
const MP4S: Record<string, Buffer> = {
  "HTML as a film": text(SCRIPT),
  "a film's first bytes and a script": Buffer.concat([box("ftyp", text("isom"), u32(512)), text(SCRIPT)]),
  "a script inside the first box": Buffer.concat([
    box("ftyp", text("isom"), u32(512), text(SCRIPT.repeat(20))),
    film.subarray(film.readUInt32BE(0)),
  ]),
  "MOV of a phone": changed("isom", 0, text("qt  ")),
  Matroska: text("\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x23B\x86\x81\x01"),
  "a film without its data": film.subarray(0, film.indexOf("mdat", 0, "latin1") - 4),
  "a film cut in its data": film.subarray(0, -50),
  "a film cut in its head": film.subarray(0, 200),
  "a film without a head": Buffer.concat([film.subarray(0, film.readUInt32BE(0)), box("mdat", Buffer.alloc(500))]),
  "two heads of a film": Buffer.concat([film, box("moov", Buffer.alloc(8))]),
  "a box larger than the file": changed("moov", -4, u32(0x7fffffff)),
  "a box smaller than its head": changed("mvhd", -4, u32(4)),
  "a box of 2^63": (() => {
    const bytes = Buffer.from(film);
    const at = bytes.indexOf("mdat", 0, "latin1") - 4;
    return Buffer.concat([bytes.subarray(0, at), u32(1), text("mdat"), u32(0x7fffffff, 0xffffffff), bytes.subarray(at + 8)]);
  })(),
  "a thousand empty boxes": Buffer.concat([film, ...Array.from({ length: 1_000 }, () => box("free"))]),
  "boxes in boxes without end": Buffer.concat([
    film.subarray(0, film.readUInt32BE(0)),
    Array.from({ length: 4_000 }).reduce<Buffer>((all) => box("trak", all), Buffer.alloc(0)),
    box("mdat"),
  ]),
  "a film in pieces": Buffer.concat([film, box("moof", Buffer.alloc(16))]),
  "a film that says it comes in pieces": inside("moov", box("mvex", box("trex", u32(0, 1, 1, 0, 0, 0)))),
  "H.265": changed("avc1\0\0", 0, text("hvc1")),
  VP9: changed("avc1\0\0", 0, text("vp09")),
  "no pictures": renamed("vide", "soun"),
  "a track of places": inside("moov", box("trak", box("mdia", box("hdlr", u32(0, 0), text("meta"), Buffer.alloc(13))))),
  "a set of pictures that is none": changed("avcC", 4, Buffer.from([9])),
  "no set of pictures": renamed("avcC", "free"),
  "pictures of ten bits": changed("\x67\x42", 1, Buffer.from([110])),
  "a time without a scale": changed("mvhd", 16, u32(0)),
  "a film of a hundred years": changed("mvhd", 20, u32(0xfffffff0)),
  "a film of no length": changed("mvhd", 20, u32(0), changed("mdhd", 20, u32(0))),
  "samples in another file": changed("url ", 4, u32(0)),
  "samples behind the end": changed("stco", 12, u32(0x7ffffff0)),
  "samples inside the head": changed("stco", 12, u32(40)),
  "more samples than are listed": changed("stsz", 12, u32(0x0fffffff)),
  "more pieces than are listed": changed("stco", 8, u32(0x0fffffff)),
  "two kinds of samples": changed("stsd", 8, u32(2)),
};
const ALL = [
  ...Object.entries(PNGS).map(([name, bytes]) => [name, "image/png", bytes] as const),
  ...Object.entries(JPEGS).map(([name, bytes]) => [name, "image/jpeg", bytes] as const),
  ...Object.entries(MP4S).map(([name, bytes]) => [name, "video/mp4", bytes] as const),
];

test("there are eighty of them at least, with those that carry something", () =>
  expect(ALL.length + Object.keys(CARRIERS).length).toBeGreaterThanOrEqual(80));

test("none of them is taken, and none takes memory with it", async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const taken: string[] = [];
  for (const [name, type, bytes] of ALL) {
    const answer = await uploadMaterial(world, token, bytes, type as MaterialType, { name: `${name}.bin` }).catch(
      (error: unknown) => error,
    );
    if (!(answer instanceof Refusal && answer.status === 400))
      taken.push(`${name}: ${JSON.stringify(answer instanceof Error ? answer.message : answer)}`);
    most = Math.max(most, process.memoryUsage().rss);
  }
  expect(taken).toEqual([]);
  expect((most - before) / 1024 ** 2).toBeLessThan(300);
  const [left] = await world.truth<{ materials: number; running: number }>(
    "select (select count(*)::int from ad_materials) as materials, (select count(*)::int from ad_uploads where status = 'uploading') as running",
  );
  expect(left).toEqual({ materials: 0, running: 0 });
});

test("what is hidden in a genuine file is not kept", async () => {
  const hidden = box("udta", text(SCRIPT));
  const carriers: [string, MaterialType, Buffer][] = [
    ["a remark", "image/png", png(31, 7, [1, 2, 3], ["tEXt", text(`Comment\0${SCRIPT}`)], ["iTXt", text(SCRIPT)], ["eXIf", text(SCRIPT)])],
    ...Object.entries(CARRIERS).map(([name, bytes]) => [name, "image/png" as const, bytes] satisfies (typeof carriers)[number]),
    ["behind a film", "video/mp4", Buffer.concat([film, hidden])],
    ["in the head of a film", "video/mp4", inside("moov", hidden)],
    ["in a track", "video/mp4", inside("trak", box("meta", text(SCRIPT)))],
    ["beside the samples", "video/mp4", inside("stbl", box("uuid", text(SCRIPT)))],
    ["a free box", "video/mp4", Buffer.concat([film, box("free", text(SCRIPT))])],
  ];
  for (const [name, type, bytes] of carriers) {
    if (type === "video/mp4") expect(bytes.includes("alert"), name).toBe(true);
    const { material_id } = await uploadMaterial(world, token, bytes, type);
    const [row] = await world.truth<{ file_key: string; content_type: string }>(
      "select file_key, content_type from ad_materials where id = $1",
      [material_id],
    );
    expect([name, row!.content_type]).toEqual([name, type === "video/mp4" ? type : "image/webp"]);
    const kept = await buffer((await openFiles(world.services.config).read(row!.file_key)).stream);
    expect([name, kept.includes("alert"), kept.includes("script"), kept.includes("PK")]).toEqual([name, false, false, false]);
    await world.truth("update ad_materials set removed_at = now() where id = $1", [material_id]);
  }
});

test("a file larger than its kind may be is not begun", async () => {
  for (const [type, { bytes }] of Object.entries(MATERIAL_LIMITS)) {
    const answer = await uploadMaterial(world, token, Buffer.alloc(bytes + 1), type as MaterialType).catch((error: unknown) => error);
    expect([type, answer instanceof Refusal && answer.status]).toEqual([type, 400]);
  }
});
