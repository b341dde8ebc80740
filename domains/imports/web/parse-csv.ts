/** Cells of a CSV text as RFC 4180 says: quotes around what holds commas, line breaks or quotes, which are doubled. A BOM is left out. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const piece = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy;
  piece.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (piece.lastIndex < text.length) {
    const found = piece.exec(text);
    // A quote in the middle of a cell: take the line as it stands.
    if (!found)
      return [
        ...rows,
        ...text
          .split(/\r\n|\n|\r/)
          .slice(rows.length)
          .map((line) => line.split(",")),
      ];
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? "");
    if (found[3] === ",") continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) rows.push([...row, ""]);
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
}
