import { z } from "zod";
import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Export file status, with the numbers of spec.md section 4. A cancelled export is a failed one whose reason says so. */
export const exportStatus = labelled({ 0: ["生成中", "active"], 1: ["可下载", "good"], 2: ["失败", "bad"], 3: ["已删除", "ended"] });
export type ExportStatus = CodeOf<typeof exportStatus>;

export const exportFormat = labelled({ xlsx: "Excel 工作簿（.xlsx）", csv: "CSV 文本（.csv）" });
export type ExportFormat = CodeOf<typeof exportFormat>;

/** The most rows of one file; the screen says it before the start, and the job refuses more with the count in the reason. */
export const EXPORT_ROW_CAP = 2_000_000;
/** A tenant's exports at work at once, and how many more may wait. */
export const EXPORTS_RUNNING = 2;
export const EXPORTS_QUEUED = 20;
/** How long a finished or failed export is kept. */
export const EXPORT_KEPT_DAYS = 7;
/** How long a download link lives. */
export const LINK_LIFE_S = 60;

const exportRow = z.object({
  id,
  /** The file's name as it is saved, with its ending. */
  name: z.string(),
  source: z.string(),
  /** What was exported, in the words of the screen it came from. */
  sourceTitle: z.string(),
  /** The filter as it was given, so that the list can be opened again. */
  filter: z.record(z.string(), z.unknown()),
  format: oneOf(exportFormat),
  status: oneOf(exportStatus),
  rowsDone: z.int(),
  /** Null until the job has counted. */
  rowsTotal: z.int().nullable(),
  /** Whole percent while 生成中, else null. */
  percent: z.int().nullable(),
  /** How many exports of the tenant stand before it; 0 is at work or next. Null when it is not 生成中. */
  waitingBefore: z.int().nullable(),
  /** Cancelling was asked for and has not arrived yet. */
  cancelling: z.boolean(),
  sizeBytes: z.int().nullable(),
  failure: z.string().nullable(),
  attempt: z.int(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  expiresAt: instant,
  /** What may be done with it now. */
  can: z.object({ download: z.boolean(), cancel: z.boolean(), retry: z.boolean(), remove: z.boolean() }),
});
export type ExportRow = z.output<typeof exportRow>;

/** Also the tray's call: `status=0` answers what is at work. Everybody reads only their own. */
export const listExports = read({
  path: "/api/exports",
  title: "导出记录",
  access: "signed-in",
  rate: "poll",
  input: listInput({ status: oneOf(exportStatus).optional(), keyword: line(64).optional() }, ["-createdAt"]),
  output: listOutput(exportRow),
});
export const exportViews = viewsOf(listExports, {
  ready: ["可下载", { status: "1" }],
  making: ["生成中", { status: "0" }],
  failed: ["失败", { status: "2" }],
});

/** The button belongs to the exported screen: the handler asks for the source's own item. 429 when the tenant's queue is full. */
export const startExport = write({
  path: "/api/exports",
  title: "导出",
  access: "signed-in",
  rate: "export",
  idempotent: "requestId",
  input: z.object({
    requestId: z.uuid(),
    source: line(64, 1),
    filter: z.record(z.string().max(64), z.unknown()).default({}),
    /** Column keys in the order wanted; empty is all of them in the source's order. */
    columns: z.array(line(64, 1)).max(200).default([]),
    format: oneOf(exportFormat).default("xlsx"),
  }),
  output: z.object({ id, name: z.string(), waitingBefore: z.int() }),
});

const one = z.object({ id });
/** Stops one that is 生成中: a waiting one at once, one at work within about a second. */
export const cancelExport = write({ path: "/api/exports/cancel", title: "取消导出", access: "signed-in", input: one, output: done });
/** 失败 → 生成中, under the same id, with what its owner may see now. */
export const retryExport = write({
  path: "/api/exports/retry",
  title: "重新导出",
  access: "signed-in",
  rate: "export",
  input: one,
  output: done,
});
/** 可下载 or 失败 → 已删除; the file goes with it. */
export const removeExport = write({ path: "/api/exports/remove", title: "删除导出文件", access: "signed-in", input: one, output: done });

/** A link for one download within 60 seconds. Open it with `location.assign`: it answers an attachment. */
export const linkExport = write({
  path: "/api/exports/link",
  title: "生成下载链接",
  access: "signed-in",
  input: one,
  output: z.object({ href: z.string(), fileName: z.string() }),
});
/** The download itself; the ticket is the whole permission. A GET that spends its ticket, so it counts as a write. */
export const downloadExport = write({
  verb: "GET",
  path: "/api/exports/file",
  title: "下载导出文件",
  access: "public",
  source: "query",
  envelope: "file",
  input: z.object({ ticket: z.string().regex(/^[\w-]{43}$/, "下载链接无效") }),
  output: z.unknown(),
});
