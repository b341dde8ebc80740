import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { sourceGroup, billSource, differenceClass, differenceHint, differenceKind, differenceStatus, resolution } from "./codes.ts";

/** What the one side says; null where it has nothing. Of a payment its state is the order's, of a refund the refund's, of platforms platformState. */
const ours = z.object({ at: instant, status: z.int(), cents, feeCents: cents });
const bill = z.object({ at: instant, state: z.string(), cents, feeCents: cents });
export const difference = z.object({
  id,
  dayId: id,
  merchantName: z.string(),
  serviceProviderName: z.string(),
  source: oneOf(billSource),
  day,
  kind: oneOf(differenceKind),
  class: oneOf(differenceClass),
  /** Of a voucher the number of its use, or the last four of its own. */
  number: z.string(),
  orderNo: z.string(),
  orderId: id.nullable(),
  refundId: id.nullable(),
  storeName: z.string().nullable(),
  channelNo: z.string().nullable(),
  ours: ours.nullable(),
  bill: bill.nullable(),
  /** Bill less ours, in what the class is about: fees for the class fee, amounts for the rest. */
  gapCents: cents,
  hint: oneOf(differenceHint).nullable(),
  status: oneOf(differenceStatus),
  resolution: oneOf(resolution).nullable(),
  reason: z.string().nullable(),
  answer: z.string().nullable(),
  looker: z.string().nullable(),
  linkedNumber: z.string().nullable(),
  proposedBy: z.string().nullable(),
  resolvedBy: z.string().nullable(),
  resolvedAt: instant.nullable(),
  /** The caller may say yes to its write-off: it is somebody else's proposal. */
  decidable: z.boolean(),
});
export const differenceFilter = {
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
  source: oneOf(billSource).optional(),
  /** 通道, 团购 or 外卖. */
  group: oneOf(sourceGroup).optional(),
  ...dateRange,
  dayId: id.optional(),
  class: oneOf(differenceClass).optional(),
  status: oneOf(differenceStatus).optional(),
  resolution: oneOf(resolution).optional(),
  /** A whole number of ours or of the channel's. */
  keyword: line(64).optional(),
};
export const listDifferences = read({
  path: "/api/reconciliation/differences",
  title: "对账差异",
  access: "/reconciliation/bill",
  input: listInput(differenceFilter, ["-day", "day"]),
  output: listOutput(difference),
});
export const summariseDifferences = read({
  path: "/api/reconciliation/differences/summary",
  title: "对账差异合计",
  access: "/reconciliation/bill",
  input: z.object(differenceFilter),
  output: z.object({
    perClass: z.array(z.object({ class: oneOf(differenceClass), count: z.int(), gapCents: cents })),
    perStatus: z.array(z.object({ status: oneOf(differenceStatus), count: z.int() })),
  }),
});
export const getDifference = read({
  path: "/api/reconciliation/differences/:id",
  title: "对账差异详情",
  access: "/reconciliation/bill",
  input: z.object({ id }),
  output: z.object({
    difference,
    dayOpen: z.boolean(),
    /** Open ones of the other side with the same amount, within a month: it may be linked to one of them. */
    candidates: z.array(difference),
    /** Of platforms: what was sold, who used it, the platform's store, and where it stands here. */
    about: z
      .object({
        title: z.string(),
        byName: z.string(),
        storeThere: z.string(),
        /** A voucher that was used here. */
        voucherId: id.nullable(),
        /** A takeaway order. */
        takeawayId: id.nullable(),
      })
      .nullable(),
  }),
});

/** The most differences of one call. */
export const MOST_AT_ONCE = 200;
/** Each asks the channel. */
export const MOST_REPAIRS = 20;
const ids = (most: number) => z.array(id).min(1, "请选择差异").max(most, `一次最多 ${most} 条`);
const resolve = "/reconciliation/bill/resolve" as const;
/** Asks the channel and takes over what it says; what fits then is resolved. */
export const repairDifferences = write({
  path: "/api/reconciliation/differences/repair",
  title: "按通道结果更正差异",
  access: resolve,
  rate: "money",
  outside: true,
  deadline_ms: 45_000,
  input: z.object({ ids: ids(MOST_REPAIRS) }),
  output: z.object({ repaired: z.int(), left: z.int(), message: z.string() }),
});
/** 核销 is proposed by one person and decided by another. All of them or none. */
export const proposeWriteOff = write({
  path: "/api/reconciliation/differences/write-off",
  title: "申请核销差异",
  access: resolve,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, ids: ids(MOST_AT_ONCE), reason: line(200, 2, "请填写核销原因") }),
  output: z.object({ count: z.int() }),
});
export const decideWriteOff = write({
  path: "/api/reconciliation/differences/decide",
  title: "复核差异核销",
  access: resolve,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, ids: ids(MOST_AT_ONCE), approve: z.boolean(), note: line(200).optional() }),
  output: z.object({ count: z.int() }),
});
/** Two rows are one payment: a number was mistyped, or a till sent it twice. */
export const linkDifferences = write({
  path: "/api/reconciliation/differences/link",
  title: "关联差异",
  access: resolve,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, id, otherId: id, reason: line(200, 2, "请填写说明") }),
  output: z.object({ count: z.int() }),
});
/** A payment that nobody here knows: who looks for whose it is. */
export const recordUnknown = write({
  path: "/api/reconciliation/differences/unknown",
  title: "登记未知收款",
  access: resolve,
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, ids: ids(MOST_AT_ONCE), looker: line(32, 2, "请填写由谁追查"), reason: line(200).optional() }),
  output: z.object({ count: z.int() }),
});
/** What was resolved by hand is open again, while its day is. */
export const reopenDifference = write({
  path: "/api/reconciliation/differences/reopen",
  title: "撤销差异处理",
  access: resolve,
  rate: "money",
  input: z.object({ id, reason: line(200, 2, "请填写原因") }),
  output: z.object({ count: z.int() }),
});
