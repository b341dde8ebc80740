import { proportion } from "@zhangfang/contract/money.ts";
import { addDays, addMonths, daysBetween, shanghaiDay } from "@zhangfang/contract/time.ts";

/** Through the seventh day after the purchase the price goes back, where nothing of the level was used. */
export const WHOLE_DAYS = 7;

export interface TermFacts {
  readonly price_cents: number;
  readonly months: number;
  readonly paid_at: string;
  readonly first_day: string;
  readonly last_day: string;
}
export interface TermRefund {
  readonly rule: "whole" | "days";
  readonly refund_cents: number;
  readonly days_left: number;
  readonly days: number;
  readonly whole_through: string;
}
/**
 * What of a term goes back on a day: the price within seven days and with nothing used, else by the days that are left after today.
 * A term that has not begun has all of them left.
 */
export function termRefund({ price_cents, months, paid_at, first_day, last_day }: TermFacts, today: string, used: boolean): TermRefund {
  const paid_day = shanghaiDay(paid_at);
  // One that began when it was paid, or moved up to a day, has that day free: its months run from there. One that began behind another
  // has them from the other's last day on.
  const from = addMonths(first_day, months) === last_day ? first_day : addDays(first_day, -1);
  const days = daysBetween(from, last_day);
  const days_left = Math.max(0, Math.min(days, daysBetween(today, last_day)));
  const whole_through = addDays(paid_day, WHOLE_DAYS);
  const rule = !used && today <= whole_through ? "whole" : "days";
  return { rule, days_left, days, whole_through, refund_cents: rule === "whole" ? price_cents : proportion(price_cents, days_left, days) };
}
