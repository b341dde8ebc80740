import { Readable } from "node:stream";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import type { ImportColumn } from "@zhangfang/server/lists/import-source.ts";
import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { downloadBadLines, downloadTemplate, IMPORT_ROW_CAP } from "../contract.ts";
import { badLines } from "./lines.ts";
import { readImport } from "./own-import.ts";
import { openSource, type Sources } from "./sources.ts";

const WHY = { label: "错误原因", kind: "text", width: 60 } as const;

/** The sheet to fill in: the headings, and one line as an example. */
export function templateRoute(sources: Sources): Route {
  return implement(downloadTemplate, async (ctx, { source: name }) => {
    const source = openSource(sources, name, ctx.principal);
    const columns = source.columns(ctx.scope);
    return sheet(`${source.title}导入模板.xlsx`, source.title, columns, [columns.map(({ example }) => example)]);
  });
}
/** What has to be repaired, with the reason at the end of each line; an upload leaves that column out. */
export function badLinesRoute(sources: Sources): Route {
  return implement(downloadBadLines, async (ctx, { id }) => {
    const found = await readImport(ctx, id);
    const source = openSource(sources, found.source, ctx.principal);
    const columns = source.columns(ctx.scope);
    const label = new Map(columns.map((column) => [column.key, column.label]));
    const rows = (await badLines(ctx.tx, found, 0, IMPORT_ROW_CAP)).map(({ cells, errors }) => [
      ...columns.map(({ key }) => cells[key] ?? ""),
      Object.entries(errors)
        .map(([key, why]) => `${label.get(key) ?? key}：${why}`)
        .join("；"),
    ]);
    return sheet(`${source.title}导入_有误的行.xlsx`, source.title, columns, rows, [WHY]);
  });
}
async function sheet(
  fileName: string,
  sheetName: string,
  columns: readonly ImportColumn[],
  rows: readonly (readonly string[])[],
  more: readonly (typeof WHY)[] = [],
): Promise<FileAnswer> {
  const pieces: Buffer[] = [];
  const book = await openXlsx(async (bytes) => void pieces.push(Buffer.from(bytes)), {
    sheetName,
    columns: [
      ...columns.map(({ label, width, required }) => ({ label: required ? `${label}*` : label, kind: "text" as const, width })),
      ...more,
    ],
  });
  await book.write(rows);
  await book.end();
  const bytes = Buffer.concat(pieces);
  return {
    stream: Readable.from([bytes]),
    fileName,
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    size_bytes: bytes.length,
  };
}
