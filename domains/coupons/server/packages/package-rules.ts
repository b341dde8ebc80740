import { proportion, splitCents } from "@zhangfang/contract/money.ts";
import { conflict, notFound, type Refusal } from "@zhangfang/server/calls/errors.ts";
import type { CouponState } from "../../contract/index.ts";

/** What of a package says whether somebody may have one more. */
export interface Supply {
  readonly state: string;
  readonly begins_at: string;
  readonly ends_at: string;
  readonly total: number;
  readonly issued: number;
  readonly held: number;
  readonly per_day: number | null;
  /** Given out today. */
  readonly today: number;
  readonly per_person: number;
  readonly per_person_day: number | null;
}
/** Why one human, who had so many, gets none now. */
export function packageBar(supply: Supply, had: number, had_today: number, now: string): Refusal | undefined {
  const { state, begins_at, ends_at, total, issued, held, per_day, today, per_person, per_person_day } = supply;
  if (state === "UNAUDIT") return notFound("券包");
  if (state === "PAUSED") return conflict("券包暂停领取，请稍后再来", "coupon.paused");
  if (state === "STOPED" || ends_at <= now) return conflict("券包领取已结束", "coupon.over");
  if (begins_at > now) return conflict("还没到领取时间", "coupon.early");
  if (had >= per_person) return conflict("已达每人限领份数", "coupon.person");
  if (per_person_day !== null && had_today >= per_person_day) return conflict("今天已达每人限领份数", "coupon.person");
  if (issued + held >= total) return conflict("券包已领完", "coupon.gone");
  if (per_day !== null && today >= per_day) return conflict("今天的已领完，请明天再来", "coupon.day-gone");
  return undefined;
}

/** Each coupon's share of the price, by the most that it takes off; by largest remainder, so that they add up to it. */
export const sharesOf = (price_cents: number, values: readonly number[]): readonly number[] => splitCents(price_cents, values);

/** One coupon of a package as it stands. */
export interface Part {
  readonly share_cents: number;
  readonly state: CouponState | null;
}
/** Whether a coupon goes back with its share: nobody used it, be it over or not. */
export const goesBack = ({ state }: Pick<Part, "state">): boolean => state === "SENDED" || state === "EXPIRED";
/** What goes back of what was paid: the shares of the coupons that nobody used. */
export function backOf(
  parts: readonly Part[],
  { price_cents, paid_cents }: { readonly price_cents: number; readonly paid_cents: number },
): number {
  const shares = parts.filter(goesBack).reduce((sum, { share_cents }) => sum + share_cents, 0);
  return proportion(paid_cents, shares, price_cents);
}
const WHY: Readonly<Record<CouponState, string>> = {
  SENDED: "",
  EXPIRED: "",
  LOCKED: "正在一笔未付款的订单中使用，不退",
  USED: "已用，不退",
  DELETED: "顾客自己删除了，不退",
  DEACTIVATED: "已作废，不退",
};
/** Why a coupon does not go back. */
export const staysWords = ({ state }: Pick<Part, "state">): string => (state === null ? "没有发出" : WHY[state]);
