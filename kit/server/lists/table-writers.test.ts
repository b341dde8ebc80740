import { expect, test } from "vitest";
import { openCsv } from "./csv-writer.ts";
import type { Cell, Sink, TableColumn, TableWriter } from "./table-writer.ts";
import { PAYLOADS, readCsv, readXlsx, type ReadSheet } from "../testing-tables.ts";
import { openXlsx } from "./xlsx-writer.ts";

const COLUMNS: readonly TableColumn[] = [
  { label: "订单号", kind: "text", width: 34 },
  { label: "实收（元）", kind: "money" },
  { label: "笔数", kind: "count" },
  { label: "支付时间", kind: "time" },
];

async function written(make: (sink: Sink) => Promise<TableWriter>, rows: readonly (readonly Cell[])[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const writer = await make(async (bytes) => void pieces.push(Buffer.from(bytes)));
  await writer.write(rows);
  await writer.end();
  return Buffer.concat(pieces);
}
const xlsx = async (rows: readonly (readonly Cell[])[], columns = COLUMNS, sheetRows?: number): Promise<ReadSheet[]> =>
  readXlsx(await written((sink) => openXlsx(sink, { sheetName: "支付订单", columns, ...(sheetRows && { sheetRows }) }), rows));
const csv = async (rows: readonly (readonly Cell[])[], columns = COLUMNS) => readCsv(await written((sink) => openCsv(sink, columns), rows));
/** What a spreadsheet may show of a text: no control characters, one kind of line break. */
const shown = (text: string) =>
  text
    .replaceAll(/\r\n?/g, "\n")
    // oxlint-disable-next-line no-control-regex -- the expectation is about them
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\uffff]/g, "")
    .toWellFormed();

test("there are more than sixty payloads, and a workbook gives every one of them back as text, to the letter", async () => {
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(60);
  const [sheet] = await xlsx(PAYLOADS.map((payload) => [payload, 1, 1, null]));
  for (const [at, payload] of PAYLOADS.entries()) expect(sheet!.rows[at + 1]![0] ?? { text: "" }).toEqual({ text: shown(payload) });
});

test("a CSV gives them back quoted, and none begins with what would run", async () => {
  const rows = await csv(PAYLOADS.map((payload) => [payload, 1, 1, null]));
  for (const [at, payload] of PAYLOADS.entries()) {
    const cell = rows[at + 1]![0]!;
    expect(cell.quoted).toBe(true);
    expect(cell.text.replace(/^'(?=[\s\u3000]*[=+\-@＝＋－＠]|\s)/, "")).toBe(shown(payload).replace(/^'(?==)/, ""));
    expect(cell.text).not.toMatch(/^[\s\u3000]*[=+\-@＝＋－＠]/);
    expect(cell.text).not.toMatch(/^[\t\r\n]/);
  }
});

test("money is a number to the cent, counts are whole, times are Shanghai days with a format", async () => {
  const rows: Cell[][] = [
    ["a", 1990, 3, "2026-11-20T15:59:59.999Z"],
    ["b", -5, 0, "2026-11-20T16:00:00.000Z"],
    ["c", 9_000_000_000_001, 9_007_199_254_740_991, "1970-01-01T00:00:00.000Z"],
    ["d", null, null, null],
  ];
  const [sheet] = await xlsx(rows);
  const numbers = sheet!.rows
    .slice(1)
    .map((row) => row.slice(1).map((cell) => (cell && "number" in cell ? `${cell.number}|${cell.format}` : cell?.text)));
  expect(numbers).toEqual([
    // 46346 is 2026-11-20; the second later is midnight of the next day.
    ["19.90|2", "3|1", "46346.999988426|164"],
    ["-0.05|2", "0|1", "46347.000000000|164"],
    ["90000000000.01|2", "9007199254740991|1", "25569.333333333|164"],
    [],
  ]);
  expect((await csv(rows)).slice(1).map((row) => row.slice(1).map((cell) => cell.text))).toEqual([
    ["19.90", "3", "2026-11-20 23:59:59"],
    ["-0.05", "0", "2026-11-21 00:00:00"],
    ["90000000000.01", "9007199254740991", "1970-01-01 08:00:00"],
    ["", "", ""],
  ]);
});

test("what is not whole cents is refused, not rounded", async () => {
  await expect(xlsx([["a", 19.9, 1, null]])).rejects.toThrow("not whole cents");
  await expect(csv([["a", "19.90", 1, null]])).rejects.toThrow("not whole cents");
  await expect(xlsx([["a", 1, 1.5, null]])).rejects.toThrow("not a whole number");
});

test("the header is there, bold and frozen, on every sheet; row 1,048,577 goes to the next one", async () => {
  const rows = Array.from({ length: 12 }, (_none, at): Cell[] => [`no-${at}`, at, at, null]);
  const sheets = await xlsx(rows, COLUMNS, 6);
  expect(sheets.map((sheet) => [sheet.name, sheet.frozen, sheet.rows.length])).toEqual([
    ["支付订单", true, 6],
    ["支付订单 (2)", true, 6],
    ["支付订单 (3)", true, 3],
  ]);
  for (const sheet of sheets)
    expect(sheet.rows[0]!.map((cell) => cell && "text" in cell && cell.text)).toEqual(COLUMNS.map((column) => column.label));
  expect(sheets.flatMap((sheet) => sheet.rows.slice(1)).map((row) => (row[0] as { text: string }).text)).toEqual(rows.map((row) => row[0]));
});

test("the real limit: 1,048,576 rows with the header, and one more sheet for the rest", { timeout: 60_000 }, async () => {
  let bytes = 0;
  const tail: Buffer[] = [];
  const book = await openXlsx(
    async (piece) => {
      bytes += piece.length;
      tail.push(Buffer.from(piece));
      if (tail.length > 40) tail.shift();
    },
    { sheetName: "数据", columns: [{ label: "n", kind: "count" }] },
  );
  const batch = Array.from({ length: 8192 }, (_none, at): Cell[] => [at]);
  for (let done = 0; done < 1_048_576; done += batch.length) await book.write(batch);
  await book.end();
  const end = Buffer.concat(tail).toString("latin1");
  expect(end).toContain("xl/worksheets/sheet2.xml");
  expect(end).not.toContain("xl/worksheets/sheet3.xml");
  expect(bytes).toBeGreaterThan(1_000_000);
});

test("column letters go past Z, a long text is cut at what a cell holds, names lose what a sheet may not be called", async () => {
  const columns = Array.from({ length: 30 }, (_none, at): TableColumn => ({ label: `列${at}`, kind: "text" }));
  const [sheet] = await xlsx([columns.map((column) => column.label), ["长".repeat(40_000)]], columns);
  expect(sheet!.rows[1]![29]).toEqual({ text: "列29" });
  expect((sheet!.rows[2]![0] as { text: string }).text.length).toBe(32_767);
  const [named] = readXlsx(await written((sink) => openXlsx(sink, { sheetName: "[a]/b:*?\\'订单", columns }), []));
  expect(named!.name).toBe("a  b     订单".trim());
});
