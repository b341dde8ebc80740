import { z } from "zod";
import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import {
  cents,
  dateRange,
  id,
  instant,
  line,
  listInput,
  listOutput,
  oneOf,
  queryCents,
  rate,
  scopeFilter,
} from "@zhangfang/contract/fields.ts";
import {
  lineResult,
  missedFilter,
  receiverType,
  relationType,
  returnStatus,
  sharingDateOf,
  sharingKind,
  sharingMode,
  sharingStatus,
  sharingWallet,
} from "./codes.ts";
import { sharingRecord } from "./records.ts";

const PAGE = "/dataCentre/sharing";

export const sharingRow = z.object({
  id,
  shareNo: z.string(),
  kind: oneOf(sharingKind),
  mode: oneOf(sharingMode),
  status: oneOf(sharingStatus),
  orderId: id,
  orderNo: z.string(),
  merchantId: id,
  merchantName: z.string(),
  storeId: id,
  storeName: z.string(),
  orderPaidCents: cents,
  /** paid − fee − refunded, when it was reckoned; null before. */
  baseCents: cents.nullable(),
  amountCents: cents,
  sharedCents: cents,
  /** What some receivers did not get. */
  failedCents: cents,
  /** One more share was made for those who did not get theirs: theirs is told there. */
  madeGood: z.boolean(),
  returnedCents: cents,
  receivers: z.int(),
  attempts: z.int(),
  failure: z.string().nullable(),
  requestedByName: z.string(),
  /** From when it goes by itself; null waits for somebody. */
  dueAt: instant.nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  /** The caller may send it, send it again, or let the merchant have what is left. */
  sendable: z.boolean(),
  retryable: z.boolean(),
  finishable: z.boolean(),
});

/** A receiver's part. */
export const sharingLine = z.object({
  id,
  alias: z.string(),
  type: oneOf(receiverType),
  account: z.string(),
  name: z.string().nullable(),
  relation: oneOf(relationType),
  customRelation: z.string().nullable(),
  ratio: rate,
  amountCents: cents,
  result: oneOf(lineResult),
  failReason: z.string().nullable(),
  detailNo: z.string().nullable(),
  finishedAt: instant.nullable(),
  returningCents: cents,
  returnedCents: cents,
});
const shareCall = z.object({
  id,
  operation: z.string(),
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  startedAt: instant,
});

const named = z.object({ id, shareNo: z.string() });

/** The one filter that the list, its sums and its export share. */
export const sharingFilter = {
  ...scopeFilter,
  ...dateRange,
  dateOf: oneOf(sharingDateOf).default("created"),
  /** A share's or an order's number, whole; dates are then ignored. */
  keyword: line(64).optional(),
  status: oneOf(sharingStatus).optional(),
  kind: oneOf(sharingKind).optional(),
  receiverId: id.optional(),
  missed: oneOf(missedFilter).optional(),
  minCents: queryCents.optional(),
  maxCents: queryCents.optional(),
};
export const listShares = read({
  path: "/api/profit-sharing/shares",
  title: "分账记录",
  access: PAGE,
  input: listInput(sharingFilter, ["-createdAt", "createdAt"]),
  output: listOutput(sharingRow),
});
export const shareViews = viewsOf(listShares, {
  missed: ["未到账，可重新分账", { missed: "open" }],
  failed: ["近 30 天失败", { status: "3" }, "last30"],
  waiting: ["待分账", { status: "0" }],
});
/** Sums over the whole filter; the counts by status leave the status filter out. */
export const summariseShares = read({
  path: "/api/profit-sharing/shares/summary",
  title: "分账合计",
  access: PAGE,
  input: z.object(sharingFilter),
  output: z.object({
    count: z.int(),
    amountCents: cents,
    sharedCents: cents,
    /** Of those that are over: what receivers did not get, each once. */
    failedCents: cents,
    returnedCents: cents,
    perStatus: z.array(z.object({ status: oneOf(sharingStatus), count: z.int() })),
  }),
});
export const getShare = read({
  path: "/api/profit-sharing/shares/:id",
  title: "分账详情",
  access: PAGE,
  input: z.object({ id }),
  output: sharingRow.extend({
    feeCents: cents,
    refundedCents: cents,
    unfreeze: z.boolean(),
    unfrozenAt: instant.nullable(),
    sentAt: instant.nullable(),
    channelNo: z.string().nullable(),
    /** The share whose missing parts this one makes good, and the one that makes good for this. */
    againOf: named.nullable(),
    again: named.nullable(),
    lines: z.array(sharingLine),
    /** What people said of it, and whether the caller may say something now. */
    records: z.array(sharingRecord),
    recordable: z.boolean(),
    calls: z.array(shareCall),
    returns: z.array(
      z.object({ id, returnNo: z.string(), alias: z.string(), amountCents: cents, status: oneOf(returnStatus), createdAt: instant }),
    ),
  }),
});
/** What a share that waits would come to now. Nothing is reserved. */
export const previewShare = read({
  path: "/api/profit-sharing/share-preview",
  title: "分账试算",
  access: `${PAGE}/share`,
  input: z.object({ id }),
  output: z.object({
    orderNo: z.string(),
    storeName: z.string(),
    /** Whose channel shares it. */
    wallet: oneOf(sharingWallet),
    paidCents: cents,
    feeCents: cents,
    refundedCents: cents,
    baseCents: cents,
    totalCents: cents,
    /** What stays with the merchant: base less all parts. */
    restCents: cents,
    /** The channel's cap, in cents; null where it does not bite. */
    cappedCents: cents.nullable(),
    unfreeze: z.boolean(),
    lines: z.array(z.object({ receiverId: id, alias: z.string(), relation: oneOf(relationType), ratio: rate, partCents: cents })),
    refusal: z.string().nullable(),
  }),
});
const answer = z.object({ id, shareNo: z.string(), status: oneOf(sharingStatus) });

/** Sends a share that waits. */
export const sendShare = write({
  path: "/api/profit-sharing/shares/send",
  title: "分账",
  access: `${PAGE}/share`,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, id }),
  output: answer,
});
/** Sends a failed one again under the same number of ours, reckoned anew; where some receivers got theirs, the others' parts as one more share. */
export const retryShare = write({
  path: "/api/profit-sharing/shares/retry",
  title: "重新分账",
  access: `${PAGE}/retry`,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, id }),
  output: answer,
});
/** 完结: the merchant gets what is left of the order, and nothing can be shared after it. */
export const finishSharing = write({
  path: "/api/profit-sharing/shares/finish",
  title: "分账完结",
  access: `${PAGE}/finish`,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, orderId: id }),
  output: answer,
});
