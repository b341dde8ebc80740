import { sql } from "kysely";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { proportion, RATE_ONE } from "@zhangfang/contract/money.ts";
import type { Figures, ReportFigures, Span } from "../../contract/index.ts";
import type { ValueSum } from "../reports/piece.ts";

/** The figures as the database adds them up. */
export interface Sums {
  readonly pay_count: number;
  readonly gross_cents: number;
  readonly discount_cents: number;
  readonly paid_cents: number;
  readonly fee_cents: number;
  readonly refund_count: number;
  readonly refund_cents: number;
  readonly refund_fee_cents: number;
  /** Of the money: what paid for recharges, for times cards, for levels and packages; and what of that went back. */
  readonly recharge_cents: number;
  readonly recharge_back_cents: number;
  readonly times_cents: number;
  readonly times_back_cents: number;
  readonly level_cents: number;
  readonly level_back_cents: number;
}
/** No movement at all. */
export const NOTHING: Sums = {
  pay_count: 0,
  gross_cents: 0,
  discount_cents: 0,
  paid_cents: 0,
  fee_cents: 0,
  refund_count: 0,
  refund_cents: 0,
  refund_fee_cents: 0,
  recharge_cents: 0,
  recharge_back_cents: 0,
  times_cents: 0,
  times_back_cents: 0,
  level_cents: 0,
  level_back_cents: 0,
};

/** The sums over the rows of `t`. */
export const SUMS = sql.raw(
  Object.keys(NOTHING)
    .map((name) => `coalesce(sum(t.${name}), 0)::bigint as ${name}`)
    .join(", "),
);

/** The sums of one entry `e` of the ledger and its order `o`, by whose purpose its money was for something that is sold beforehand. */
export const ENTRY_SUMS = sql.raw(
  `(e.cause = 'payment')::int as pay_count, e.gross_cents, e.discount_cents, e.paid_cents, e.fee_cents,
    (e.cause = 'refund')::int as refund_count, e.refund_cents, e.refund_fee_cents, ${[
      ["recharge", "1"],
      ["times", "3"],
      ["level", "2, 4"],
    ]
      .map(
        ([name, purposes]) =>
          `case when o.purpose in (${purposes}) then e.paid_cents else 0 end as ${name}_cents, case when o.purpose in (${purposes}) then e.refund_cents else 0 end as ${name}_back_cents`,
      )
      .join(", ")}`,
);

export function added(rows: readonly Sums[]): Sums {
  const sum = (name: keyof Sums) => rows.reduce((total, row) => total + row[name], 0);
  return Object.fromEntries((Object.keys(NOTHING) as (keyof Sums)[]).map((name) => [name, sum(name)])) as unknown as Sums;
}
export type DaySums = Sums & { readonly day: string };
/** The sums of a span, from rows by day. */
export const within = (rows: readonly DaySums[], span: Span): Sums =>
  added(rows.filter((row) => row.day >= span.from && row.day <= span.to));

/** What is left for the merchant; the one place that says how. */
export const netOf = (sums: Pick<Sums, "paid_cents" | "refund_cents" | "fee_cents" | "refund_fee_cents">): number =>
  sums.paid_cents - sums.refund_cents - sums.fee_cents + sums.refund_fee_cents;

/** What stored value paid: of what was asked, neither taken off nor paid in money. */
export const storedOf = (sums: Pick<Sums, "gross_cents" | "discount_cents" | "paid_cents">): number =>
  sums.gross_cents - sums.discount_cents - sums.paid_cents;

/** The figures as the screens know them (contract/measures.ts defines each). */
export function figuresOf(sums: Sums): Figures {
  return {
    payCount: sums.pay_count,
    grossCents: sums.gross_cents as Cents,
    discountCents: sums.discount_cents as Cents,
    storedCents: storedOf(sums) as Cents,
    paidCents: sums.paid_cents as Cents,
    averageCents: sums.pay_count === 0 ? null : (proportion(sums.paid_cents, 1, sums.pay_count) as Cents),
    refundCount: sums.refund_count,
    refundCents: sums.refund_cents as Cents,
    effectiveCents: (sums.paid_cents - sums.refund_cents) as Cents,
    feeCents: sums.fee_cents as Cents,
    refundFeeCents: sums.refund_fee_cents as Cents,
    netCents: netOf(sums) as Cents,
    rechargeCents: sums.recharge_cents as Cents,
    rechargeBackCents: sums.recharge_back_cents as Cents,
    cardCents: (sums.times_cents + sums.level_cents) as Cents,
    cardBackCents: (sums.times_back_cents + sums.level_back_cents) as Cents,
  };
}

/** The sums of a report's group: beside the takings what members' value did. */
export type ReportSums = Sums & { readonly [Name in ValueSum]: number };
/** The figures of a report. @param known whether members' value is told apart like that, and what is owed */
export const reportFiguresOf = (sums: ReportSums, known: { readonly value: boolean; readonly balance: boolean }): ReportFigures => ({
  ...figuresOf(sums),
  turnoverCents: (known.value ? turnoverOf(sums) : null) as Cents | null,
  consumedCents: (known.value ? sums.used_cents : null) as Cents | null,
  timesCents: (known.value ? sums.times_used_cents : null) as Cents | null,
  balanceCents: (known.balance ? sums.owed_cents : null) as Cents | null,
});
/**
 * 营业额, what goods and services came to: money less what was sold beforehand, and what of that was used (membership.md 6; levels and
 * packages count when they are sold).
 */
const turnoverOf = (sums: ReportSums): number =>
  sums.paid_cents -
  sums.refund_cents -
  (sums.recharge_cents - sums.recharge_back_cents) -
  (sums.times_cents - sums.times_back_cents) +
  sums.used_cents +
  sums.times_used_cents;

/** What part of the whole it is, in parts per 100,000. */
export const rateOf = (part: number, whole: number): number => proportion(RATE_ONE, part, whole);
