import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents } from "@zhangfang/contract/fields.ts";
import type { getShift } from "../../contract/index.ts";

export type Shift = OutputOf<typeof getShift>;
export type Takings = Shift["rows"][number];
export type Sums = Shift["total"];
/** What one cashier took, by method, and in all. */
export interface CashierTakings {
  readonly cashierId: string | null;
  readonly cashierName: string;
  readonly rows: readonly Takings[];
  readonly total: Sums;
}

/** Adds up rows; every sum is exact, because all of it is whole cents and counts. */
export function sumOf(rows: readonly Sums[]): Sums {
  const add = (read: (row: Sums) => number): number => rows.reduce((sum, row) => sum + read(row), 0);
  const money = (read: (row: Sums) => Cents): Cents => add(read) as Cents;
  return {
    payCount: add((row) => row.payCount),
    grossCents: money((row) => row.grossCents),
    discountCents: money((row) => row.discountCents),
    storedCents: money((row) => row.storedCents),
    paidCents: money((row) => row.paidCents),
    feeCents: money((row) => row.feeCents),
    refundCount: add((row) => row.refundCount),
    refundCents: money((row) => row.refundCents),
    netCents: money((row) => row.netCents),
    rechargeCents: money((row) => row.rechargeCents),
    rechargeBackCents: money((row) => row.rechargeBackCents),
    cardCents: money((row) => row.cardCents),
    cardBackCents: money((row) => row.cardBackCents),
  };
}

/**
 * What of the money was no sale: it was taken for what is used later. Nothing where there was none.
 * @example beforehandOf(total) // [["其中充值", 150000], ["其中售卡", -500]]
 */
export const beforehandOf = (of: Sums): readonly (readonly [string, Cents])[] =>
  (
    [
      ["其中充值", of.rechargeCents, of.rechargeBackCents],
      ["其中售卡", of.cardCents, of.cardBackCents],
    ] as const
  ).flatMap(([name, paid, back]) => (paid === 0 && back === 0 ? [] : [[name, (paid - back) as Cents] as const]));

/** The rows of a shift by cashier, in the order that the server gives them; together they are the shift's total. */
export function perCashier(rows: readonly Takings[]): CashierTakings[] {
  const groups = new Map<string | null, Takings[]>();
  for (const row of rows) groups.set(row.cashierId, [...(groups.get(row.cashierId) ?? []), row]);
  return [...groups].map(([cashierId, own]) => ({ cashierId, cashierName: own[0]?.cashierName ?? "", rows: own, total: sumOf(own) }));
}
