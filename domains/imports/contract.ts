import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

export const importStatus = labelled({ 0: ["待导入", "warn"], 1: ["导入中", "active"], 2: ["已完成", "good"], 3: ["已停止", "ended"] });
export type ImportStatus = CodeOf<typeof importStatus>;
/** A line of the sheet. */
export const importRowStatus = labelled({ 0: ["有误", "bad"], 1: ["可导入", "active"], 2: ["已导入", "good"], 3: ["无需导入", "ended"] });

/** The most lines of one sheet. */
export const IMPORT_ROW_CAP = 5000;
/** The most lines of one call. */
export const LINES_AT_ONCE = 200;
/** How long an import is kept. */
export const IMPORT_KEPT_DAYS = 30;
/** The most first passwords that one call tells: each costs a hash. */
export const PASSWORDS_AT_ONCE = 20;

const source = line(64, 1);
const column = z.object({
  key: z.string(),
  label: z.string(),
  also: z.array(z.string()),
  required: z.boolean(),
  /** What a line is of is known again by it. */
  identifies: z.boolean(),
  example: z.string(),
  help: z.string().nullable(),
});
const counts = z.object({ bad: z.int(), ready: z.int(), made: z.int(), there: z.int(), total: z.int() });
const importRow = z.object({
  id,
  source: z.string(),
  fileName: z.string(),
  status: oneOf(importStatus),
  counts,
  failure: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  expiresAt: instant,
});
export type Import = z.output<typeof importRow>;

/** What can be imported here: its columns as far as the caller may give them, and the caller's last imports. */
export const getImportSource = read({
  path: "/api/imports/source",
  title: "导入说明",
  access: "signed-in",
  input: z.object({ source }),
  output: z.object({
    title: z.string(),
    unit: z.string(),
    columns: z.array(column),
    passwords: z.boolean(),
    /** Whose own sheets are read, and the column that says whose; null where only ours is. */
    ownSheets: z.object({ column: z.string(), of: z.array(z.string()) }).nullable(),
    recent: z.array(importRow),
  }),
});
const which = { source, of: line(32, 1, "请选择是谁的表") };
/** 列对应: how the merchant's last sheet of somebody was read. */
export const getSheetColumns = read({
  path: "/api/imports/columns",
  title: "表格的列对应",
  access: "signed-in",
  input: z.object(which),
  output: z.object({ headings: z.record(z.string(), z.string()) }),
});
/** Keeps how a sheet is read, by column key; the one before is replaced. */
export const saveSheetColumns = write({
  path: "/api/imports/columns",
  title: "保存表格的列对应",
  access: "signed-in",
  closedToActing: true,
  input: z.object({
    ...which,
    headings: z
      .record(z.string().regex(/^[A-Za-z]{1,32}$/, "栏目不正确"), line(64, 1))
      .refine((given) => Object.keys(given).length <= 40, "栏目太多"),
  }),
  output: done,
});
/** The sheet to fill in, with one line as an example. */
export const downloadTemplate = read({
  path: "/api/imports/template",
  title: "下载导入模板",
  access: "signed-in",
  envelope: "file",
  input: z.object({ source }),
  output: z.unknown(),
});
/** Opens an import; the lines follow. */
export const startImport = write({
  path: "/api/imports",
  title: "上传导入文件",
  access: "signed-in",
  idempotent: "requestId",
  closedToActing: true,
  input: z.object({ requestId: id, source, fileName: line(120, 1) }),
  output: z.object({ id }),
});
/**
 * Lines of the sheet, checked and kept, nothing made: the dry run. A line that is given again is checked anew, which is
 * how it is repaired; what was made of a line stays. The cells of a line travel as the text of a JSON object, column key
 * to text: so many keys would be too many for one request.
 */
export const checkLines = write({
  path: "/api/imports/lines",
  title: "检查导入内容",
  access: "signed-in",
  closedToActing: true,
  input: z.object({
    id,
    lines: z
      .array(z.object({ line: z.int().min(1).max(1_048_576), cells: z.string().min(2).max(20_000) }))
      .min(1)
      .max(LINES_AT_ONCE),
  }),
  output: z.object({ counts }),
});
/** Looks again at every line that had something wrong: what it lacked may be there now. */
export const recheckLines = write({
  path: "/api/imports/recheck",
  title: "重新检查导入内容",
  access: "signed-in",
  closedToActing: true,
  deadline_ms: 30_000,
  input: z.object({ id }),
  output: z.object({ counts }),
});
export const getImport = read({
  path: "/api/imports/:id",
  title: "导入进度",
  access: "signed-in",
  rate: "poll",
  input: z.object({ id }),
  output: importRow,
});
export const listImportRows = read({
  path: "/api/imports/rows",
  title: "导入明细",
  jumps: false,
  access: "signed-in",
  input: listInput({ importId: id, status: oneOf(importRowStatus).optional() }, ["line"]),
  output: listOutput(
    z.object({
      line: z.int(),
      title: z.string(),
      /** Empty once it is made. */
      cells: z.record(z.string(), z.string()),
      status: oneOf(importRowStatus),
      errors: z.record(z.string(), z.string()),
      madeId: id.nullable(),
    }),
  ),
});
const one = z.object({ id });
/** Makes what can be made, in the background; lines with something wrong stay. */
export const runImport = write({
  path: "/api/imports/run",
  title: "开始导入",
  access: "signed-in",
  closedToActing: true,
  input: one,
  output: done,
});
/** Stops after the line at work; going on later makes nothing twice. */
export const stopImport = write({ path: "/api/imports/stop", title: "停止导入", access: "signed-in", input: one, output: done });
/** The lines with something wrong, as a sheet that can be repaired and uploaded again; the last column says what. */
export const downloadBadLines = read({
  path: "/api/imports/bad-lines",
  title: "下载有误的行",
  access: "signed-in",
  envelope: "file",
  input: one,
  output: z.unknown(),
});
/** First one-time passwords of accounts that the import made, some at a time, each told once. */
export const tellPasswords = write({
  path: "/api/imports/passwords",
  title: "生成初始密码",
  access: "signed-in",
  closedToActing: true,
  outside: true,
  deadline_ms: 30_000,
  input: one,
  output: z.object({
    accounts: z.array(z.object({ line: z.int(), title: z.string(), login: z.string(), password: z.string() })),
    left: z.int(),
  }),
});
