import { sql } from "kysely";
import type { Cents } from "@zhangfang/contract/fields.ts";
import { proportion, RATE_ONE } from "@zhangfang/contract/money.ts";
import type { Figures, Span } from "../../contract/index.ts";

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
};

/** The eight sums over the rows of `t`. */
export const SUMS = sql.raw(
  Object.keys(NOTHING)
    .map((name) => `coalesce(sum(t.${name}), 0)::bigint as ${name}`)
    .join(", "),
);

export function added(rows: readonly Sums[]): Sums {
  const sum = (name: keyof Sums) => rows.reduce((total, row) => total + row[name], 0);
  return {
    pay_count: sum("pay_count"),
    gross_cents: sum("gross_cents"),
    discount_cents: sum("discount_cents"),
    paid_cents: sum("paid_cents"),
    fee_cents: sum("fee_cents"),
    refund_count: sum("refund_count"),
    refund_cents: sum("refund_cents"),
    refund_fee_cents: sum("refund_fee_cents"),
  };
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
  };
}

/** What part of the whole it is, in parts per 100,000. */
export const rateOf = (part: number, whole: number): number => proportion(RATE_ONE, part, whole);
