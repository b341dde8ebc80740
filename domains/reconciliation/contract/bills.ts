import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { billFileStatus, billSource, billType } from "./codes.ts";
import { billFile } from "./days.ts";

/** Packed by the browser; a day of a million rows is some 40 MB. */
export const MOST_UPLOAD_BYTES = 128 * 1024 * 1024;
/** A piece as it is before base64; with it a request stays below the limit of a body. */
export const PIECE_BYTES = 180_000;

/** Without a merchant it is the caller's own. */
const which = { merchantId: id.optional(), source: oneOf(billSource), type: oneOf(billType), day };
export const listBillFiles = read({
  path: "/api/reconciliation/bills",
  title: "账单导入记录",
  access: "/reconciliation/bill",
  rate: "poll",
  input: listInput(
    { serviceProviderId: id.optional(), merchantId: id.optional(), day: day.optional(), status: oneOf(billFileStatus).optional() },
    ["-createdAt"],
  ),
  output: listOutput(billFile),
});
/** Has a bill fetched from the channel now. */
export const fetchBill = write({
  path: "/api/reconciliation/bills/fetch",
  title: "获取账单",
  access: "/reconciliation/bill/import",
  idempotent: "requestId",
  input: z.object({ requestId: id, ...which }),
  output: z.object({ id }),
});
/** Opens an upload; the pieces of the file follow. */
export const startBillUpload = write({
  path: "/api/reconciliation/bills/upload",
  title: "上传账单",
  access: "/reconciliation/bill/import",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    ...which,
    fileName: line(120, 1),
    sizeBytes: z.int().min(1, "文件是空的").max(MOST_UPLOAD_BYTES, "文件超过 128 MB"),
  }),
  output: z.object({ id }),
});
/** One piece of the file. The same piece again counts once. */
export const addBillPiece = write({
  path: "/api/reconciliation/bills/piece",
  title: "上传账单分片",
  access: "/reconciliation/bill/import",
  rate: "poll",
  input: z.object({
    id,
    place: z.int().min(0).max(2_000),
    base64: z
      .string()
      .min(4)
      .max(Math.ceil(PIECE_BYTES / 3) * 4)
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, "内容格式不正确"),
  }),
  output: z.object({ sizeBytes: z.int() }),
});
/** Everything is there: it is read and matched in the background. */
export const finishBillUpload = write({
  path: "/api/reconciliation/bills/finish",
  title: "提交账单",
  access: "/reconciliation/bill/import",
  input: z.object({ id }),
  output: done,
});
/** Gives an upload up, or a fetch that waits. */
export const cancelBill = write({
  path: "/api/reconciliation/bills/cancel",
  title: "取消账单导入",
  access: "/reconciliation/bill/import",
  input: z.object({ id }),
  output: done,
});
