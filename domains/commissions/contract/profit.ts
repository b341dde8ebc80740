import { read } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, id, instant, line, listInput, listOutput, oneOf, scopeFilter } from "@zhangfang/contract/fields.ts";
import { z } from "zod";
import { feePart, lineFact, profitBy, receiver } from "./codes.ts";

const LINES = ["/dataCentre/shareProfit", "/dataCentre/shareProfit/own"] as const;
const nodes = {
  serviceProviderId: scopeFilter.serviceProviderId,
  agentId: scopeFilter.agentId,
  businessTeamId: scopeFilter.businessTeamId,
};

/** What a receiver earned on a day: of the difference of rates, by its ratio, less what refunds took back on that day. */
export const shareProfitRow = z.object({
  id,
  day,
  receiver: oneOf(receiver),
  receiverId: id,
  receiverName: z.string(),
  serviceProviderName: z.string(),
  payCount: z.int(),
  paidCents: cents,
  refundCount: z.int(),
  refundCents: cents,
  differenceCents: cents,
  ratioCents: cents,
  clawedCents: cents,
  netCents: cents,
});
const shares = { ...nodes, ...dateRange, receiver: oneOf(receiver).optional(), receiverId: id.optional() };
export const shareProfitFilter = {
  ...shares,
  /** A part of the receiver's name. */
  keyword: line(64).optional(),
};

export const listShareProfit = read({
  path: "/api/commissions/share-profit",
  title: "分润",
  access: LINES,
  bearsDelay: true,
  input: listInput(shareProfitFilter, ["-day", "day"]),
  output: listOutput(shareProfitRow),
});
/** Sums over the whole filter. */
export const summariseShareProfit = read({
  path: "/api/commissions/share-profit/summary",
  title: "分润合计",
  access: LINES,
  bearsDelay: true,
  input: z.object(shareProfitFilter),
  output: z.object({
    differenceCents: cents,
    ratioCents: cents,
    clawedCents: cents,
    netCents: cents,
    /** The last day whose payments and refunds are all in. */
    through: day.nullable(),
  }),
});

/** One line: what one receiver got of one payment, or gave back with one refund. */
export const commissionLine = z.object({
  id,
  occurredAt: instant,
  day,
  fact: oneOf(lineFact),
  receiver: oneOf(receiver),
  receiverName: z.string(),
  orderId: id,
  orderNo: z.string(),
  merchantName: z.string(),
  factCents: cents,
  merchantRate: z.int(),
  ownRate: z.int().nullable(),
  ratio: z.int().nullable(),
  differenceCents: cents,
  ratioCents: cents,
  commissionCents: cents,
  /** Of it, cents that rounding brought. */
  remainderCents: z.int(),
});
export const lineFilter = {
  ...shares,
  merchantId: scopeFilter.merchantId,
  fact: oneOf(lineFact).optional(),
  /** An order number, whole; dates are then ignored. */
  keyword: line(64).optional(),
};
export const listCommissionLines = read({
  path: "/api/commissions/lines",
  title: "分润明细",
  access: LINES,
  bearsDelay: true,
  input: listInput(lineFilter, ["-occurredAt", "occurredAt"]),
  output: listOutput(commissionLine),
});

/** Sums over the whole filter; a refund takes back, so that its lines count below zero. */
export const summariseCommissionLines = read({
  path: "/api/commissions/lines/summary",
  title: "分润明细合计",
  access: LINES,
  bearsDelay: true,
  input: z.object(lineFilter),
  output: z.object({
    count: z.int(),
    differenceCents: cents,
    ratioCents: cents,
    commissionCents: cents,
    /** Of them, what payments brought and what refunds took back. */
    earnedCents: cents,
    clawedCents: cents,
  }),
});

/** A receiver's own account, and what it earned on each of the last days. */
export const getOwnProfit = read({
  path: "/api/commissions/own",
  title: "我的分润",
  access: "/dataCentre/shareProfit/own",
  bearsDelay: true,
  input: z.object({}),
  output: z.object({
    receiver: oneOf(receiver),
    name: z.string(),
    /** What may be claimed; below zero where refunds took back more than was left. */
    balanceCents: cents,
    /** Of it, what has not waited long enough to be withdrawn. */
    waitingCents: cents,
    withdrawableCents: cents,
    frozenCents: cents,
    paidCents: cents,
    /** All that was ever earned, and taken back. */
    earnedCents: cents,
    clawedCents: cents,
    through: day.nullable(),
    days: z.array(z.object({ day, earnedCents: cents, clawedCents: cents, netCents: cents })),
  }),
});

/** What a provider earned in a day or a month. */
export const providerProfitRow = z.object({
  /** Provider and span. */
  id: z.string(),
  span: z.string(),
  from: day,
  to: day,
  serviceProviderId: id,
  serviceProviderName: z.string(),
  payCount: z.int(),
  paidCents: cents,
  refundCents: cents,
  /** Fees less what went back with refunds. */
  feeCents: cents,
  costCents: cents,
  sharedCents: cents,
  netCents: cents,
});
export const providerProfitFilter = {
  serviceProviderId: scopeFilter.serviceProviderId,
  ...dateRange,
  by: oneOf(profitBy).default("day"),
  /** A part of the provider's name. */
  keyword: line(64).optional(),
};
export const listProviderProfit = read({
  path: "/api/commissions/provider-profit",
  title: "服务商收益",
  jumps: false,
  access: "/dataCentre/spProfit",
  bearsDelay: true,
  input: listInput(providerProfitFilter, ["-day", "day"]),
  output: listOutput(providerProfitRow),
});
export const summariseProviderProfit = read({
  path: "/api/commissions/provider-profit/summary",
  title: "服务商收益合计",
  access: "/dataCentre/spProfit",
  bearsDelay: true,
  input: z.object(providerProfitFilter),
  output: z.object({
    paidCents: cents,
    refundCents: cents,
    feeCents: cents,
    costCents: cents,
    sharedCents: cents,
    netCents: cents,
    through: day.nullable(),
  }),
});

/** One part of an order's fee, for the money trace. */
export const orderPart = z.object({
  part: oneOf(feePart),
  name: z.string(),
  /** Of the payment, and taken back by refunds so far. */
  amountCents: cents,
  clawedCents: cents,
  differenceCents: cents,
  remainderCents: z.int(),
  ownRate: z.int().nullable(),
  ratio: z.int().nullable(),
  posted: z.boolean(),
});
