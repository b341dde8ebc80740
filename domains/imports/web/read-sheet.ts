import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getImportSource } from "../contract.ts";
import { IMPORT_ROW_CAP } from "../contract.ts";

type Column = OutputOf<typeof getImportSource>["columns"][number];
export interface SheetLine {
  /** As the spreadsheet numbers it: the headings are line 1. */
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}
export interface Sheet {
  readonly lines: readonly SheetLine[];
  /** Headings that no column knows. */
  readonly ignored: readonly string[];
}
/** What is wrong with the file as a whole; the words are for whoever chose it. */
export class SheetError extends Error {}

/** Reads a sheet in the browser: .xlsx, or .csv in UTF-8 or GB18030. @throws SheetError */
export async function readSheet(file: File, columns: readonly Column[]): Promise<Sheet> {
  return sheetOf(await tableOf(file), columns);
}

async function tableOf(file: File): Promise<readonly (readonly unknown[])[]> {
  if (/\.csv$/i.test(file.name)) return readCsv(textOf(await file.arrayBuffer()));
  if (!/\.xlsx$/i.test(file.name)) throw new SheetError("请选择 .xlsx 或 .csv 文件；旧的 .xls 请先另存为 .xlsx");
  return readWorkbook(await file.arrayBuffer());
}
/** Of a sheet of 5,000 lines this is a hundredfold. */
const MOST_BYTES = 100 * 1024 * 1024;
/**
 * The first sheet of a workbook. It is unpacked here and handed over unpacked: the reader would unpack large parts in
 * workers made of text, which no page of ours may start.
 */
async function readWorkbook(bytes: ArrayBuffer): Promise<readonly (readonly unknown[])[]> {
  const [{ readSheet: readXlsx }, { unzipSync, zipSync }] = await Promise.all([import("read-excel-file/universal"), import("fflate")]);
  try {
    let unpacked_bytes = 0;
    const parts = unzipSync(new Uint8Array(bytes), {
      filter: ({ name, originalSize }) => /\.(?:xml|rels)$/.test(name) && (unpacked_bytes += originalSize) < MOST_BYTES,
    });
    return await readXlsx(zipSync(parts, { level: 0 }).slice().buffer);
  } catch {
    throw new SheetError("无法读取此文件，可能已损坏或加了密码");
  }
}
/** What separates the cells is found out: Excel writes what Windows is set to. Loaded when a .csv is chosen: 6 KB that no screen needs before. */
async function readCsv(text: string): Promise<readonly (readonly string[])[]> {
  const { parse } = (await import("papaparse")).default;
  const { data, errors } = parse(text.replace(/[\r\n]+$/, ""), { delimitersToGuess: [",", "\t", ";"] });
  // What stands behind a quote that is never closed would be one cell.
  const quote = errors.find(({ type }) => type === "Quotes");
  if (quote) throw new SheetError(`第 ${(quote.row ?? 0) + 1} 行的引号不成对`);
  return data;
}
/** Excel in China saves CSV in GB18030 unless told otherwise. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

/** A heading without what people put around it: 商户名称*, 商户名称（必填）. */
const plain = (heading: string): string => heading.replaceAll(/[\s*＊]|[（(](?:必填|选填)[)）]/g, "").toLowerCase();

/** Puts cells under the columns by their headings. The example line of the template is left out. @throws SheetError */
export function sheetOf(table: readonly (readonly unknown[])[], columns: readonly Column[]): Sheet {
  const [head = [], ...body] = table;
  const headings = head.map(cellText);
  const keys = headings.map(
    (heading) => columns.find(({ label, also }) => [label, ...also].some((name) => plain(name) === plain(heading)))?.key,
  );
  const missing = columns.filter(({ key, required }) => required && !keys.includes(key));
  if (missing.length === columns.filter(({ required }) => required).length) throw new SheetError("第一行不是表头，请使用模板");
  if (missing.length > 0) throw new SheetError(`缺少列：${missing.map(({ label }) => label).join("、")}`);
  const twice = columns.find(({ key }) => keys.filter((one) => one === key).length > 1);
  if (twice) throw new SheetError(`「${twice.label}」有两列，请只留一列`);
  const lines = body.flatMap((row, at): SheetLine[] => {
    const cells = Object.fromEntries(keys.flatMap((key, place) => (key && cellText(row[place]) ? [[key, cellText(row[place])]] : [])));
    const example = columns.every(({ key, example: given }) => (cells[key] ?? "") === given || !keys.includes(key));
    return Object.keys(cells).length === 0 || example ? [] : [{ line: at + 2, cells }];
  });
  if (lines.length === 0) throw new SheetError("表中没有数据");
  if (lines.length > IMPORT_ROW_CAP) throw new SheetError(`一次最多导入 ${IMPORT_ROW_CAP} 行，此文件有 ${lines.length} 行，请拆成几个文件`);
  return { lines, ignored: headings.filter((heading, place) => heading && !keys[place] && plain(heading) !== "错误原因") };
}
function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? String(cell).trim() : "";
}
