import { weekdayOf } from "@zhangfang/contract/time.ts";
import type { PointRule } from "../../contract/index.ts";

const MOST_MULTIPLE = 1_000;

/** Whether a birthday falls on a day; one of February 29th is kept on the 28th in common years. */
export function isBirthday(birthday: string | null, day: string): boolean {
  if (birthday === null) return false;
  const [born, now] = [birthday.slice(5), day.slice(5)];
  if (born === now) return true;
  const leap = new Date(`${day.slice(0, 4)}-02-29T00:00:00Z`).getUTCDate() === 29;
  return born === "02-29" && now === "02-28" && !leap;
}

/** In percent: the level's, times the best of store, weekday and birthday. */
export function multipleOf(
  earn: PointRule["earn"],
  at: { readonly level: number; readonly store_id: string; readonly day: string; readonly birthday: string | null },
): number {
  const best = Math.max(
    100,
    earn.storeIds.includes(at.store_id) ? earn.storeMultiple : 0,
    earn.weekdays.includes(weekdayOf(at.day)) ? earn.weekdayMultiple : 0,
    isBirthday(at.birthday, at.day) ? earn.birthdayMultiple : 0,
  );
  return Math.min(MOST_MULTIPLE, Math.floor((at.level * best) / 100));
}

/** What a payment earns: floor(base × points × multiple ÷ (per cents × 100)), at most what the day's cap leaves. */
export function earnedOf(earn: PointRule["earn"], base_cents: number, multiple: number, kept_today: number): number {
  if (!earn.on) return 0;
  const whole = (BigInt(base_cents) * BigInt(earn.points) * BigInt(multiple)) / (BigInt(earn.perCents) * 100n);
  const room = earn.dayCap === null ? Number.MAX_SAFE_INTEGER : Math.max(0, earn.dayCap - kept_today);
  return Math.min(Number(whole), room);
}

/** What of it is kept when so much of the base is left. */
export const keptOf = (earned: number, base_cents: number, left_cents: number): number =>
  base_cents === 0 ? earned : Number((BigInt(earned) * BigInt(left_cents)) / BigInt(base_cents));

/** What of an order's money and principal counts: sales, or, where recharges earn, recharges. Never both. */
export function baseOf(
  earn: PointRule["earn"],
  { purpose, money_cents, principal_cents }: { readonly purpose: number; readonly money_cents: number; readonly principal_cents: number },
): number {
  if (earn.onRecharge) return purpose === 1 ? money_cents : 0;
  return purpose === 0 ? money_cents + principal_cents : 0;
}
