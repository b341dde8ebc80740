import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { failedReturns, relationType, returnDateOf, returnStatus } from "./codes.ts";
import { sharingRecord } from "./records.ts";

const PAGE = "/dataCentre/sharingReturn";

export const returnRow = z.object({
  id,
  returnNo: z.string(),
  status: oneOf(returnStatus),
  amountCents: cents,
  alias: z.string(),
  account: z.string(),
  relation: oneOf(relationType),
  shareId: id,
  shareNo: z.string(),
  lineCents: cents,
  orderId: id,
  orderNo: z.string(),
  refundId: id,
  refundNo: z.string(),
  refundCents: cents,
  refundStatus: z.int(),
  merchantId: id,
  merchantName: z.string(),
  storeId: id,
  storeName: z.string(),
  attempts: z.int(),
  channelNo: z.string().nullable(),
  failure: z.string().nullable(),
  requestedByName: z.string(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  retryable: z.boolean(),
});
export const returnFilter = {
  ...scopeFilter,
  ...dateRange,
  dateOf: oneOf(returnDateOf).default("created"),
  /** A return's, share's, refund's or order's number, whole; dates are then ignored. */
  keyword: line(64).optional(),
  status: oneOf(returnStatus).optional(),
  failed: oneOf(failedReturns).optional(),
  receiverId: id.optional(),
};
export const listReturns = read({
  path: "/api/profit-sharing/returns",
  title: "分账回退",
  access: PAGE,
  input: listInput(returnFilter, ["-createdAt", "createdAt"]),
  output: listOutput(returnRow),
});
export const summariseReturns = read({
  path: "/api/profit-sharing/returns/summary",
  title: "分账回退合计",
  access: PAGE,
  input: z.object(returnFilter),
  output: z.object({
    count: z.int(),
    amountCents: cents,
    doneCents: cents,
    perStatus: z.array(z.object({ status: oneOf(returnStatus), count: z.int() })),
  }),
});
export const getReturn = read({
  path: "/api/profit-sharing/returns/:id",
  title: "分账回退详情",
  access: PAGE,
  input: z.object({ id }),
  output: returnRow.extend({
    /** What people said of it, and whether the caller may say something now. */
    records: z.array(sharingRecord),
    recordable: z.boolean(),
  }),
});
/** Asks a receiver again to give back, where the refund that needed it has failed. */
export const retryReturn = write({
  path: "/api/profit-sharing/returns/retry",
  title: "重新回退",
  access: `${PAGE}/retry`,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, id }),
  output: z.object({ id, returnNo: z.string(), status: oneOf(returnStatus) }),
});

/** What a refund takes back from each receiver, for the drawer; `refusal` says why one cannot and the merchant bears it. */
export const refundShare = z.object({
  alias: z.string(),
  account: z.string(),
  sharedCents: cents,
  returnCents: cents,
  refusal: z.string().nullable(),
  /** It came back with an earlier try. */
  done: z.boolean().optional(),
});
