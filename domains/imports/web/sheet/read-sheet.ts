import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getImportSource } from "../../contract.ts";
import { IMPORT_ROW_CAP } from "../../contract.ts";

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

/** What a sheet holds before anybody says which column is which. */
export type Table = readonly (readonly unknown[])[];
/** The headings of a table: its first line. One that stands more than once is told apart by its place: 金额（第 5 列）. @throws SheetError where there is none */
export function headingsOf([head = []]: Table): readonly string[] {
  const headings = head.map(cellText);
  if (headings.every((heading) => heading === "")) throw new SheetError("第一行不是表头");
  return headings.map((heading, at) =>
    heading !== "" && headings.filter((one) => one === heading).length > 1 ? `${heading.slice(0, 48)}（第 ${at + 1} 列）` : heading,
  );
}
const BY_PLACE = /（第 \d+ 列）$/;
/**
 * Which heading each column is read from: as the last time, else what is called the same. One that is known by its place alone is a person's to
 * choose each time: a column that the platform puts before it would move another there.
 */
export function guessColumns(
  headings: readonly string[],
  columns: readonly Column[],
  known: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const guessed = columns.flatMap(({ key, label, also }) => {
    const before = known[key];
    const found =
      before !== undefined && headings.includes(before) && !BY_PLACE.test(before)
        ? before
        : headings.find((heading) => heading !== "" && [label, ...also].some((name) => plain(name) === plain(heading)));
    return found === undefined ? [] : [[key, found] as const];
  });
  // Of two columns that would read the same, the first has it.
  return Object.fromEntries(guessed.filter(([, heading], at) => guessed.findIndex(([, one]) => one === heading) === at));
}
/**
 * What to ask before a sheet is read by other numbers than the last one: what was imported then would come a second time, under other numbers.
 * @returns nothing where there was none before, or the numbers are read as then
 */
export function otherNumbers(
  columns: readonly Column[],
  known: Readonly<Record<string, string>>,
  chosen: Readonly<Record<string, string>>,
): string | undefined {
  if (Object.keys(known).length === 0) return undefined;
  const other = columns.find(({ key, identifies }) => identifies && known[key] !== chosen[key]);
  if (!other) return undefined;
  const read = (heading: string | undefined): string => (heading === undefined ? "没有读" : `读的是「${heading}」`);
  return `上次「${other.label}」${read(known[other.key])}，这次${read(chosen[other.key])}。编号不同，上次导入过的会再记一次，而且不能删。`;
}
/** The lines of a table whose columns were chosen; every line has the cells of `fixed` too. @throws SheetError */
export function mappedSheet(
  table: Table,
  columns: readonly Column[],
  chosen: Readonly<Record<string, string>>,
  fixed: Readonly<Record<string, string>>,
): Sheet {
  const [, ...body] = table;
  const headings = headingsOf(table);
  const keyed = columns.filter(({ key }) => chosen[key] !== undefined);
  // Under our own names the rest is read as any other sheet; what was not chosen is left out.
  const places = keyed.map(({ key }) => headings.indexOf(chosen[key]!));
  const own = [keyed.map(({ label }) => label), ...body.map((row) => places.map((place) => row[place]))];
  const { lines } = sheetOf(own, columns);
  return { lines: lines.map(({ line, cells }) => ({ line, cells: { ...cells, ...fixed } })), ignored: [] };
}

const MOST_FILE_BYTES = 20 * 1024 * 1024;
/** Reads a file in the browser as it stands. @throws SheetError */
export async function tableOf(file: File): Promise<Table> {
  if (file.size > MOST_FILE_BYTES) throw new SheetError("文件超过 20 MB，请拆成几个文件");
  if (/\.csv$/i.test(file.name)) return readCsv(textOf(await file.arrayBuffer()));
  if (!/\.xlsx$/i.test(file.name)) throw new SheetError("请选择 .xlsx 或 .csv 文件；旧的 .xls 请先另存为 .xlsx");
  return readWorkbook(await file.arrayBuffer());
}
/**
 * The first sheet of a workbook. It is unpacked here and handed over unpacked: the reader would unpack large parts in
 * workers made of text, which no page of ours may start.
 */
async function readWorkbook(bytes: ArrayBuffer): Promise<readonly (readonly unknown[])[]> {
  const [{ readSheet: readXlsx }, { zipSync }, { lookAtAddresses, TooLarge, unpackXml }] = await Promise.all([
    import("read-excel-file/universal"),
    import("fflate"),
    import("./unpack.ts"),
  ]);
  try {
    const parts = await unpackXml(bytes);
    Object.values(parts).forEach(lookAtAddresses);
    return await readXlsx(zipSync(parts, { level: 0 }).slice().buffer);
  } catch (error) {
    if (error instanceof TooLarge) throw new SheetError(error.message);
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
    const rounded = keys.findIndex((key, place) => key && isRounded(row[place]));
    if (rounded >= 0)
      throw new SheetError(
        `第 ${at + 2} 行的「${headings[rounded]}」太长，表格软件已把它当数字改掉了末几位。请让平台导出 .csv，或把这一列存成文本再导出`,
      );
    const cells = Object.fromEntries(keys.flatMap((key, place) => (key && cellText(row[place]) ? [[key, cellText(row[place])]] : [])));
    const example = columns.every(({ key, example: given }) => (cells[key] ?? "") === given || !keys.includes(key));
    return Object.keys(cells).length === 0 || example ? [] : [{ line: at + 2, cells }];
  });
  if (lines.length === 0) throw new SheetError("表中没有数据");
  if (lines.length > IMPORT_ROW_CAP) throw new SheetError(`一次最多导入 ${IMPORT_ROW_CAP} 行，此文件有 ${lines.length} 行，请拆成几个文件`);
  return { lines, ignored: headings.filter((heading, place) => heading && !keys[place] && plain(heading) !== "错误原因") };
}
/** A spreadsheet keeps 15 digits of a number: the end of a longer one is not what was written, and two of them may have become one. */
const isRounded = (cell: unknown): boolean => typeof cell === "number" && Number.isInteger(cell) && Math.abs(cell) >= 1e15;
function cellText(cell: unknown): string {
  // A day has no time; a moment has seconds.
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace("T", " ").replace(" 00:00:00", "");
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean" ? String(cell).trim() : "";
}
