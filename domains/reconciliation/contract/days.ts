import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, done, id, instant, line, listInput, listOutput, oneOf, wholeNumber } from "@zhangfang/contract/fields.ts";
import { billFileStatus, billOrigin, billSource, billType, dayState, differenceClass, sourceGroup } from "./codes.ts";

const side = { payCount: z.int(), payCents: cents, refundCount: z.int(), refundCents: cents, feeCents: cents };
export const reconDay = z.object({
  id,
  merchantId: id,
  merchantName: z.string(),
  serviceProviderName: z.string(),
  source: oneOf(billSource),
  day,
  state: oneOf(dayState),
  ours: z.object(side),
  bill: z.object(side),
  /** What the bill says is settled to the merchant. */
  settledCents: cents,
  matchedCount: z.int(),
  /** Rows that fit an order of the day before or after. */
  boundaryCount: z.int(),
  /** Fee differences within the tolerance, added up. */
  toleratedCents: cents,
  differenceCount: z.int(),
  openCount: z.int(),
  /** Of platforms (platforms.md 2, 3); null of channels. */
  platform: z
    .object({
      /** Uses that were made at the platform without us; they are among the counts of both sides. */
      externalCount: z.int(),
      /** Uses not reversed that no line of a bill pays yet, and what they are expected to bring. */
      pendingCount: z.int(),
      pendingCents: cents,
      /** 核销账单 and 结算账单 are whole; a day is closed with both. */
      hasVerify: z.boolean(),
      hasLedger: z.boolean(),
      /** 关账后变动: facts that were told of a closed day afterwards, and by how much our net and the settled sum would move; 0 while it is open. */
      lateCount: z.int(),
      lateCents: cents,
      lateSettledCents: cents,
    })
    .nullable(),
  version: z.int(),
  closedAt: instant.nullable(),
  closedBy: z.string().nullable(),
  reopenedBy: z.string().nullable(),
  reopenReason: z.string().nullable(),
});
export const billFile = z.object({
  id,
  source: oneOf(billSource),
  type: oneOf(billType),
  day,
  merchantName: z.string(),
  origin: oneOf(billOrigin),
  status: oneOf(billFileStatus),
  fileName: z.string().nullable(),
  sizeBytes: z.int(),
  /** Parts of 100 of what is to be read; null where that is not known. */
  percent: z.int().nullable(),
  rowCount: z.int(),
  failure: z.string().nullable(),
  nextTryAt: instant.nullable(),
  askedBy: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});

export const dayFilter = {
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
  source: oneOf(billSource).optional(),
  /** 通道, 团购 or 外卖. */
  group: oneOf(sourceGroup).optional(),
  ...dateRange,
  state: oneOf(dayState).optional(),
};
export const listReconDays = read({
  path: "/api/reconciliation/days",
  title: "对账日",
  access: "/reconciliation/bill",
  input: listInput(dayFilter, ["-day", "day"]),
  output: listOutput(reconDay),
});
export const summariseReconDays = read({
  path: "/api/reconciliation/days/summary",
  title: "对账日合计",
  access: "/reconciliation/bill",
  input: z.object(dayFilter),
  output: z.object({
    ours: z.object(side),
    bill: z.object(side),
    settledCents: cents,
    perState: z.array(z.object({ state: oneOf(dayState), count: z.int() })),
    openCount: z.int(),
  }),
});
export const getReconDay = read({
  path: "/api/reconciliation/days/:id",
  title: "对账日详情",
  access: "/reconciliation/bill",
  input: z.object({ id }),
  output: z.object({
    day: reconDay,
    files: z.array(billFile),
    perClass: z.array(z.object({ class: oneOf(differenceClass), count: z.int(), open: z.int(), cents })),
    /** The movements of the account by kind, where its fund-flow bill is there. */
    flows: z.array(z.object({ businessType: z.string(), count: z.int(), inCents: cents, outCents: cents })),
    /** When the platform's day was last taken in, and what of it is missing; null where it has no interface, or was never asked. */
    taken: z.object({ whole: z.boolean(), why: z.string(), at: instant }).nullable(),
  }),
});
/** The days of a month of one merchant at one channel, also those without a bill. */
export const getReconMonth = read({
  path: "/api/reconciliation/month",
  title: "对账月历",
  access: "/reconciliation/bill",
  input: z.object({
    merchantId: id.optional(),
    source: oneOf(billSource),
    month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, "月份格式应为 YYYY-MM"),
  }),
  output: z.object({
    days: z.array(
      z.object({
        day,
        id: id.nullable(),
        /** `none`: no bill came yet; `future`: there cannot be one. */
        state: z.enum(["differing", "ready", "partial", "closed", "none", "future"]),
        openCount: z.int(),
        /** Of our side, paid less refunded. */
        netCents: cents,
      }),
    ),
  }),
});
/** 关账: nothing may be open. `version` is that of the figures that were seen. */
export const closeReconDay = write({
  path: "/api/reconciliation/days/close",
  title: "关账",
  access: "/reconciliation/bill/close",
  rate: "money",
  idempotent: "requestId",
  input: z.object({ requestId: id, id, version: z.int().min(0) }),
  output: done,
});
export const reopenReconDay = write({
  path: "/api/reconciliation/days/reopen",
  title: "撤销关账",
  access: "/reconciliation/bill/reopen",
  input: z.object({ id, reason: line(200, 2, "请填写原因") }),
  output: done,
});
/** Matches a day anew with what is known now, without another bill. */
export const rematchReconDay = write({
  path: "/api/reconciliation/days/rematch",
  title: "重新对账",
  access: "/reconciliation/bill/import",
  deadline_ms: 45_000,
  input: z.object({ id }),
  output: z.object({ openCount: z.int() }),
});
/** 重新取账单: takes a platform's day anew in the background and matches it then. 409 where the platform has no interface here. */
export const retakeReconDay = write({
  path: "/api/reconciliation/days/retake",
  title: "重新取平台账单",
  access: "/reconciliation/bill/import",
  input: z.object({ id }),
  output: done,
});

const setting = { daily: z.boolean(), feeToleranceCents: wholeNumber(0, 100) };
/** Without a merchant it is the caller's own. */
const whose = { merchantId: id.optional(), source: oneOf(billSource) };
export const getBillSettings = read({
  path: "/api/reconciliation/settings",
  title: "对账设置",
  access: "/reconciliation/bill/settings",
  input: z.object(whose),
  output: z.object({ ...setting, version: z.int() }),
});
export const setBillSettings = write({
  path: "/api/reconciliation/settings/set",
  title: "修改对账设置",
  access: "/reconciliation/bill/settings",
  input: z.object({ ...whose, version: z.int().min(0), ...setting }),
  output: done,
});
