import { deflateRawSync } from "node:zlib";
import { Inflate, strToU8, zipSync } from "fflate";
import { expect, test, vi } from "vitest";
import { readSheet } from "./read-sheet.ts";

// Workbooks that were made to fill memory or to run for ever: each is refused in words, and none of it is made.
const columns = (["商户名称", "联系电话"] as const).map((label, at) => ({
  key: ["name", "phone"][at]!,
  label,
  required: at === 0,
  also: [],
  identifies: false,
  example: "示例",
  help: null,
}));
const read = (bytes: Uint8Array) => readSheet(new File([bytes.slice()], "商户.xlsx"), columns);

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>';
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const rels = (type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;
const text = (cells: Readonly<Record<string, string>>) =>
  Object.entries(cells)
    .map(([at, value]) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`)
    .join("");
const HEAD = `<row r="1">${text({ A1: "商户名称", B1: "联系电话" })}</row>`;
const sheet = (rows: string, before = "") =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
const partsOf = (xml: string) => ({
  "[Content_Types].xml": strToU8(TYPES),
  "_rels/.rels": strToU8(rels("officeDocument", "xl/workbook.xml")),
  "xl/workbook.xml": strToU8(
    `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ),
  "xl/_rels/workbook.xml.rels": strToU8(rels("worksheet", "worksheets/sheet1.xml")),
  "xl/worksheets/sheet1.xml": strToU8(xml),
});
const bookOf = (xml: string) => zipSync(partsOf(xml));
const row = (r: string, cells: Readonly<Record<string, string>>) => `<row r="${r}">${text(cells)}</row>`;

test("a plain workbook is read, also one that is formatted to the last row", async () => {
  const far = '<row r="1048576" ht="15" customHeight="1"/>';
  const { lines } = await read(bookOf(sheet(`${HEAD}${row("2", { A2: "青石", B2: "138" })}${row("4", { A4: "墨石" })}${far}`)));
  expect(lines).toEqual([
    { line: 2, cells: { name: "青石", phone: "138" } },
    { line: 4, cells: { name: "墨石" } },
  ]);
});

/** Makes the directory of a zip say that each part is small: what a bomb says of itself. */
function belittled(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  for (let at = bytes.indexOf("PK\u0001\u0002", 0, "latin1"); at >= 0; at = bytes.indexOf("PK\u0001\u0002", at + 46, "latin1"))
    bytes.writeUInt32LE(100, at + 24);
  return bytes;
}
const BLANKS = 300 * 1024 * 1024;
const zipBomb = () => {
  const zip = zipSync(partsOf("x"), { level: 0 });
  // 300 MB of blanks in 300 KB, put where the sheet's one letter stands: built by hand, for the packer would take its time.
  const packed = deflateRawSync(Buffer.alloc(BLANKS, " "), { level: 1 });
  const bytes = Buffer.from(zip);
  const named = Buffer.from("xl/worksheets/sheet1.xml");
  const local = bytes.indexOf(named) - 30;
  const entry = bytes.lastIndexOf(named) - 46;
  const data = local + 30 + named.length + bytes.readUInt16LE(local + 28);
  const [head, tail] = [bytes.subarray(0, data), bytes.subarray(data + 1)];
  const made = Buffer.concat([head, packed, tail]);
  const moved = packed.length - 1;
  made.writeUInt16LE(8, entry + moved + 10);
  made.writeUInt32LE(packed.length, entry + moved + 20);
  made.writeUInt32LE(BLANKS, entry + moved + 24);
  const end = made.length - 22;
  made.writeUInt32LE(made.readUInt32LE(end + 16) + moved, end + 16);
  return made;
};
/** The same part under a thousand names: each would be unpacked. */
function manyNames(zip: Uint8Array): Uint8Array {
  const bytes = Buffer.from(zip);
  const end = bytes.length - 22;
  const from = bytes.readUInt32LE(end + 16);
  const directory = bytes.subarray(from, end);
  const count = bytes.readUInt16LE(end + 10);
  const made = Buffer.concat([bytes.subarray(0, from), ...Array.from({ length: 1_000 }, () => directory), bytes.subarray(end)]);
  made.writeUInt16LE(count * 1_000, made.length - 12);
  return made;
}
const UNPACKED = "文件解压后超过 100 MB，不像一张表，没有读";
test.each<[string, () => Uint8Array, string]>([
  ["300 MB of blanks in 300 KB", zipBomb, UNPACKED],
  ["the same that says of itself that it is small", () => belittled(zipBomb()), UNPACKED],
  ["one part under a thousand names", () => manyNames(bookOf(sheet(HEAD))), UNPACKED],
  [
    "more than a file may have",
    () => Buffer.concat([bookOf(sheet(HEAD)), Buffer.alloc(20 * 1024 * 1024)]),
    "文件超过 20 MB，请拆成几个文件",
  ],
  ["a row of a thousand million", () => bookOf(sheet(HEAD + row("1000000000", { A1000000000: "x" }))), "位置「1000000000」不对"],
  ["the same in another writing", () => bookOf(sheet(`${HEAD}<row r = '1e9'><c r="A2"><v>1</v></c></row>`)), "位置「1e9」不对"],
  ["the same by a reference", () => bookOf(sheet(`${HEAD}<row r="&#49;000000000"><c r="A2"><v>1</v></c></row>`)), "不对，没有读"],
  ["a column of far away", () => bookOf(sheet(HEAD + row("2", { ZZZZZZ2: "x" }))), "位置「ZZZZZZ2」不对"],
  [
    "the last cell of all beside the first",
    () => bookOf(sheet(HEAD + row("1048576", { XFD1048576: "x" }))),
    "表格太大：到了第 1048576 行、第 16384 列",
  ],
  [
    "a row that says another number than its cells",
    () => bookOf(sheet(`${HEAD}<row r="1048000"><x r="2"/>${text({ XFD2: "x" })}</row>`)),
    "表格太大",
  ],
])("a bomb is refused: %s", async (_name, make, why) => {
  const bytes = make();
  const before_bytes = process.memoryUsage().rss;
  await expect(read(bytes)).rejects.toThrow(why);
  // A hundred megabytes of it at most were unpacked, twice for the piece and the whole.
  expect(process.memoryUsage().rss - before_bytes).toBeLessThan(600 * 1024 * 1024);
});

/** As browsers do it, unlike Node: the whole of a written piece is unpacked before anybody can read of it. */
let unpacked_bytes = 0;
class AsBrowsersDo extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    const inflate = new Inflate();
    super({
      start(to) {
        inflate.ondata = (piece) => {
          unpacked_bytes += piece.length;
          if (piece.length > 0) to.enqueue(piece);
        };
      },
      transform: (piece) => inflate.push(piece),
      flush: () => inflate.push(new Uint8Array(), true),
    });
  }
}
test("a bomb is not unpacked past the limit where a browser unpacks what it is given at once", async () => {
  vi.stubGlobal("DecompressionStream", AsBrowsersDo);
  try {
    unpacked_bytes = 0;
    await expect(read(zipBomb())).rejects.toThrow(UNPACKED);
    // The limit, and what the slices on their way hold.
    expect(unpacked_bytes).toBeGreaterThan(100 * 1024 * 1024);
    expect(unpacked_bytes).toBeLessThan(150 * 1024 * 1024);
    // A part of several slices is whole.
    const names = Array.from({ length: 5_000 }, (_none, at) => `店${Math.imul(at, 0x9e3779b1) >>> 0}`);
    const rows = names.map((name, at) => row(String(at + 2), { [`A${at + 2}`]: name })).join("");
    expect((await read(bookOf(sheet(HEAD + rows)))).lines.map(({ cells }) => cells["name"])).toEqual(names);
  } finally {
    vi.unstubAllGlobals();
  }
});

test("names that stand for names are not unfolded, and nothing outside is read", async () => {
  const names = Array.from({ length: 9 }, (_none, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join("");
  const laughs = `<!DOCTYPE x [<!ENTITY l0 "ha">${names}<!ENTITY out SYSTEM "file:///etc/passwd">]>`;
  const made = await read(bookOf(sheet(HEAD + row("2", { A2: "&l9;", B2: "&out;" }), laughs))).then(
    ({ lines }) => JSON.stringify(lines),
    (error: Error) => error.message,
  );
  expect(made.length).toBeLessThan(200);
  expect(made).not.toContain("root:");
  expect(made).not.toContain("haha");
});
