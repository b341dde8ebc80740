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
/** Once more on every printer of the order's store. */
export const reprintOrder = write({
  path: "/api/store-hardware/reprint",
  title: "补打小票",
  access: "/dataCentre/payOrder/reprint",
  idempotent: "requestId",
  input: z.object({ requestId: id, orderId: id }),
  output: z.object({ printers: z.int() }),
});
