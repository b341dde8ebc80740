import { z } from "zod";
import { cents, day, id, oneOf } from "@zhangfang/contract/fields.ts";
import { payChannel, payWallet } from "../../channels/contract.ts";

/** The money figures of one span; their definitions stand in measures.ts. `averageCents` is null where nothing was paid. */
export const figures = z.object({
  payCount: z.int(),
  grossCents: cents,
  discountCents: cents,
  storedCents: cents,
  paidCents: cents,
  averageCents: cents.nullable(),
  refundCount: z.int(),
  refundCents: cents,
  effectiveCents: cents,
  feeCents: cents,
  refundFeeCents: cents,
  netCents: cents,
  rechargeCents: cents,
  rechargeBackCents: cents,
  cardCents: cents,
  cardBackCents: cents,
});
export type Figures = z.output<typeof figures>;

/**
 * Those of a report: beside the money what members' value did. Null where it is not told apart like that (by cashier, by channel), and
 * for those who see nothing of members; a balance only along the days or by nodes, not by both.
 */
export const reportFigures = figures.extend({
  turnoverCents: cents.nullable(),
  consumedCents: cents.nullable(),
  timesCents: cents.nullable(),
  balanceCents: cents.nullable(),
});
export type ReportFigures = z.output<typeof reportFigures>;

/** The list that shows the rows behind a figure: a path of the hash router and its query. */
export const drill = z.object({ path: z.string(), query: z.record(z.string(), z.string()) });
export type Drill = z.output<typeof drill>;

/** One part of a whole; `rate` is its share of paid money in parts per 100,000. */
const part = { payCount: z.int(), paidCents: cents, refundCents: cents, rate: z.int(), drill };
export const walletShare = z.object({ wallet: oneOf(payWallet), ...part });
/** The direct channels each by its wallet, by which they are told apart (`channelName`). */
export const channelShare = z.object({ channel: oneOf(payChannel), wallet: oneOf(payWallet).nullable(), ...part });

/** One row of a ranking by paid money, best first. */
export const ranked = z.object({ id, name: z.string(), payCount: z.int(), paidCents: cents, refundCents: cents, netCents: cents, drill });
export type Ranked = z.output<typeof ranked>;

export const span = z.object({ from: day, to: day });
export type Span = z.output<typeof span>;
