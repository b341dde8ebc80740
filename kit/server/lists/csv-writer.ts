import { countText, plainText, timeText, yuanText, type Cell, type Sink, type TableColumn, type TableWriter } from "./table-writer.ts";

/**
 * What a spreadsheet would take for a formula or a command: these characters first, also behind blanks, in their
 * full-width forms too (ASVS 1.2.10, reliability.md 2.3).
 */
const DANGEROUS = /^(?:[\t\r\n]|[\s\u3000]*[=+\-@＝＋－＠])/;

/**
 * Writes a CSV file: UTF-8 with BOM, CRLF, every text cell in quotes, text that could run as a formula behind an apostrophe.
 *
 * Long numbers and leading zeros stay plain quoted text. Wrapping them as `="0012"` would make the file itself hold
 * formulas, break every program that reads it, and fail the rule that each cell reads back as the string it was; who
 * opens files by double click takes the xlsx, where ids are text cells and nothing is ever altered.
 */
export async function openCsv(sink: Sink, columns: readonly TableColumn[]): Promise<TableWriter> {
  const header = columns.map((column) => csvText(column.label)).join(",");
  await sink(Buffer.from(`\uFEFF${header}\r\n`));
  return {
    async write(rows) {
      if (rows.length === 0) return;
      const lines = rows.map((row) => columns.map((column, at) => csvCell(column, row[at])).join(","));
      await sink(Buffer.from(`${lines.join("\r\n")}\r\n`));
    },
    async end() {},
  };
}

function csvCell(column: TableColumn, cell: Cell): string {
  if (cell === null || cell === undefined || cell === "") return "";
  switch (column.kind) {
    case "money":
      return yuanText(cell);
    case "count":
      return countText(cell);
    case "time":
      return timeText(cell);
    case "text":
      return csvText(cell);
  }
}
function csvText(cell: Cell): string {
  // Judged before cleaning too: a dropped control character must not uncover a formula, nor hide that there was one.
  const text = plainText(cell);
  const guarded = DANGEROUS.test(String(cell)) || DANGEROUS.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}
