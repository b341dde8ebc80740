import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { hardwareKind, outputCause, outputStatus } from "./codes.ts";

export const outputRow = z.object({
  id,
  kind: oneOf(hardwareKind),
  hardwareName: z.string(),
  storeName: z.string(),
  cause: oneOf(outputCause),
  orderNo: z.string().nullable(),
  status: oneOf(outputStatus),
  tries: z.int(),
  /** Why it did not work. */
  message: z.string().nullable(),
  byName: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
});
/** 最近打印 and 最近播报: the kinds whose screen the caller holds. */
export const listOutputs = read({
  path: "/api/store-hardware/outputs",
  title: "打印和播报记录",
  access: ["/store/printers", "/store/trumpet"],
  input: listInput({ kind: oneOf(hardwareKind).optional(), hardwareId: id.optional() }, ["-createdAt"]),
  output: listOutput(outputRow),
});
/** A use of a platform's voucher once more, on every printer of its store. For whoever may use vouchers of that platform. */
export const reprintVoucher = write({
  path: "/api/store-hardware/reprint-voucher",
  title: "补打核销凭证",
  access: ["/plat-dy/coupon/verify", "/plat-ks/coupon/verify"],
  idempotent: "requestId",
  input: z.object({ requestId: id, attemptId: id }),
  output: z.object({ printers: z.int() }),
});
/** Once more on every printer of the order's store. */
export const reprintOrder = write({
  path: "/api/store-hardware/reprint",
  title: "补打小票",
  access: "/dataCentre/payOrder/reprint",
  idempotent: "requestId",
  input: z.object({ requestId: id, orderId: id }),
  output: z.object({ printers: z.int() }),
});
