import type { z } from "zod";
import { percent, RATE_ONE, yuan } from "@zhangfang/contract/money.ts";
import type { traceLine } from "../../contract/trace.ts";

export type TraceLine = z.input<typeof traceLine>;
type Given = Pick<TraceLine, "label"> & { readonly amountCents?: number | null } & Partial<Omit<TraceLine, "label" | "amountCents">>;

/** A line with what it does not say left out. */
export const line = ({ label, amountCents = null, note = null, rounding = null, at = null }: Given): TraceLine => ({
  label,
  note,
  amountCents: amountCents as TraceLine["amountCents"],
  rounding,
  at,
});
/** A line where there is an amount, else none. */
export const some = (given: Given): TraceLine[] => (given.amountCents ? [line(given)] : []);
/** What the lines of a part come to. */
export const sumOf = (lines: readonly TraceLine[]): number => lines.reduce((sum, one) => sum + (one.amountCents ?? 0), 0);

/** Yuan with four decimals of a fraction of cents, exactly cut where it is longer. */
function fineYuan(numerator: bigint, denominator: bigint): string {
  const tenThousandths = (numerator * 100n) / denominator;
  const sign = tenThousandths < 0n ? "−" : "";
  const whole = tenThousandths < 0n ? -tenThousandths : tenThousandths;
  return `${sign}${whole / 10_000n}.${String(whole % 10_000n).padStart(4, "0")}`;
}
/**
 * How an exact share came to whole cents; null where nothing was rounded.
 * @example roundingOf(9_000n * 380n, 100_000n, 34) // "0.3420 取整为 0.34，尾差 −0.0020"
 */
export function roundingOf(numerator: bigint, denominator: bigint, cents: number): string | null {
  const rest = BigInt(cents) * denominator - numerator;
  if (rest === 0n) return null;
  const given = fineYuan(rest, denominator);
  return `${fineYuan(numerator, denominator)} 取整为 ${yuan(cents)}，尾差 ${rest > 0n ? "+" : ""}${given}`;
}

/** The fee's way from the rate to whole cents. */
export function feeRounding(paid_cents: number, fee_rate: number, fee_cents: number): { note: string; rounding: string | null } {
  return {
    note: `${yuan(paid_cents)} × ${percent(fee_rate)}`,
    rounding: roundingOf(BigInt(paid_cents) * BigInt(fee_rate), BigInt(RATE_ONE), fee_cents),
  };
}
/** The way of a fee that goes back with a refund: in proportion, the last refund takes what is left. */
export function feeBackRounding(
  order: { readonly fee_cents: number; readonly paid_cents: number },
  refund: { readonly amount_cents: number; readonly fee_cents: number },
): string | null {
  if (order.paid_cents === 0) return null;
  return roundingOf(BigInt(order.fee_cents) * BigInt(refund.amount_cents), BigInt(order.paid_cents), refund.fee_cents);
}
