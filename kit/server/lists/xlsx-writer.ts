import { countText, momentOf, plainText, yuanText, type Cell, type Sink, type TableColumn, type TableWriter } from "./table-writer.ts";
import { openZip } from "./zip-writer.ts";

/** Rows of one sheet, its header included (the format's own limit). */
const SHEET_ROWS = 1_048_576;
/** A sheet's XML stays clear of zip's 4 GiB. */
const SHEET_BYTES = 3_500_000_000;
/** Characters of one cell (the format's own limit). */
const CELL_CHARACTERS = 32_767;
/** Text is deflated and handed on in pieces of at most this size. */
const PIECE_BYTES = 256 * 1024;

export interface XlsxOptions {
  /** The first sheet's name; the following ones get (2), (3) … */
  readonly sheetName: string;
  readonly columns: readonly TableColumn[];
  /** Smaller limits, so that a test can reach them. */
  readonly sheetRows?: number;
}

/**
 * Writes a workbook piece by piece. Text cells are inline strings in cells of format text, never formulas and never
 * numbers, so `=1+1` and an 18-digit number stay what they were; money and times are numbers with a format. Past a
 * sheet's last row it goes on in the next sheet under the same header.
 * @example const book = await openXlsx(sink, { sheetName: "支付订单", columns }); await book.write(rows); await book.end();
 */
export async function openXlsx(sink: Sink, { sheetName, columns, sheetRows = SHEET_ROWS }: XlsxOptions): Promise<TableWriter> {
  const zip = openZip(sink);
  const letters = columns.map((_column, at) => columnLetters(at));
  let sheets = 0;
  let row = 0;
  let sheet_bytes = 0;
  // Rows go into one buffer as soon as they are made: strings that wait would grow the heap by a hundred megabytes.
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  let filled = 0;

  const flush = async (): Promise<void> => {
    if (filled > 0) sheet_bytes = await zip.add(piece.subarray(0, filled));
    filled = 0;
  };
  const put = async (xml: string): Promise<void> => {
    if (filled + xml.length * 3 > PIECE_BYTES) await flush();
    if (xml.length * 3 > PIECE_BYTES) sheet_bytes = await zip.add(Buffer.from(xml));
    else filled += piece.write(xml, filled);
  };
  const openSheet = async (): Promise<void> => {
    sheets++;
    await zip.begin(`xl/worksheets/sheet${sheets}.xml`);
    row = 1;
    sheet_bytes = 0;
    await put(sheetHead(columns) + rowXml(1, columns.map((column, at) => textCell(letters[at]!, 1, column.label, STYLE.header)).join("")));
  };
  const closeSheet = async (): Promise<void> => {
    await put("</sheetData></worksheet>");
    await flush();
  };
  await openSheet();
  return {
    async write(rows) {
      for (const cells of rows) {
        if (row === sheetRows || sheet_bytes > SHEET_BYTES) {
          await closeSheet();
          await openSheet();
        }
        row++;
        let xml = "";
        for (let at = 0; at < columns.length; at++) xml += cellXml(columns[at]!, letters[at]!, row, cells[at]);
        await put(rowXml(row, xml));
      }
    },
    async end() {
      await closeSheet();
      for (const [name, text] of bookParts(sheetName, sheets)) {
        await zip.begin(name);
        await zip.add(Buffer.from(text));
      }
      await zip.end();
    },
  };
}

// Positions in cellXfs below.
const STYLE = { header: 1, text: 2, money: 3, count: 4, time: 5 } as const;

function cellXml(column: TableColumn, letters: string, row: number, cell: Cell): string {
  if (cell === null || cell === undefined || cell === "") return "";
  switch (column.kind) {
    case "text":
      return textCell(letters, row, cell, STYLE.text);
    case "money":
      return numberCell(letters, row, yuanText(cell), STYLE.money);
    case "count":
      return numberCell(letters, row, countText(cell), STYLE.count);
    case "time":
      return numberCell(letters, row, serialOf(cell), STYLE.time);
  }
}
function numberCell(letters: string, row: number, number: string, style: number): string {
  // A spreadsheet keeps 15 digits; what is longer stays exact as text.
  if (number.length > 16) return textCell(letters, row, number, STYLE.text);
  return `<c r="${letters}${row}" s="${style}"><v>${number}</v></c>`;
}
function textCell(letters: string, row: number, cell: Cell, style: number): string {
  return `<c r="${letters}${row}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(plainText(cell))}</t></is></c>`;
}
const rowXml = (row: number, cells: string) => `<row r="${row}">${cells}</row>`;

/** A moment as a spreadsheet's day number in Shanghai: whole days since 1899-12-30 and the part of the day, to the second. */
function serialOf(moment: Cell): string {
  const seconds = Math.floor(momentOf(moment) / 1000) + 8 * 3600 + 25_569 * 86_400;
  const days = Math.floor(seconds / 86_400);
  return `${days}${((seconds - days * 86_400) / 86_400).toFixed(9).slice(1)}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
function xmlText(text: string): string {
  const kept = text.length > CELL_CHARACTERS ? text.slice(0, CELL_CHARACTERS).toWellFormed() : text;
  if (!/[&<>"_]/.test(kept)) return kept;
  // The format reads _x0041_ as "A"; a person who typed that gets it back by escaping the underscore.
  return kept.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_").replaceAll(/[&<>"]/g, (character) => ESCAPES[character]!);
}

/** 0 → A, 25 → Z, 26 → AA. */
function columnLetters(at: number): string {
  const last = String.fromCharCode(65 + (at % 26));
  return at < 26 ? last : columnLetters(Math.floor(at / 26) - 1) + last;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function sheetHead(columns: readonly TableColumn[]): string {
  const widths = columns.map(
    (column, at) => `<col min="${at + 1}" max="${at + 1}" width="${column.width ?? DEFAULT_WIDTH[column.kind]}" customWidth="1"/>`,
  );
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
}
const DEFAULT_WIDTH = { text: 18, money: 14, count: 10, time: 20 } as const;

/** The parts beside the sheets; written last because only then their number is known. */
function bookParts(sheetName: string, sheets: number): [name: string, text: string][] {
  const numbers = Array.from({ length: sheets }, (_none, at) => at + 1);
  const base =
    sheetName
      .replaceAll(/[[\]:*?/\\']/g, " ")
      .trim()
      .slice(0, 24) || "数据";
  const names = numbers.map((number) => xmlText(number === 1 ? base : `${base} (${number})`));
  return [
    ["xl/styles.xml", STYLES],
    [
      "xl/workbook.xml",
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${numbers.map((number, at) => `<sheet name="${names[at]}" sheetId="${number}" r:id="rId${number}"/>`).join("")}</sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${numbers.map((number) => `<Relationship Id="rId${number}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join("")}<Relationship Id="rId${sheets + 1}" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    [
      "_rels/.rels",
      `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      "[Content_Types].xml",
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${numbers.map((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPE}.worksheet+xml"/>`).join("")}</Types>`,
    ],
  ];
}

const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
