import { yuan } from "@zhangfang/contract/money.ts";

/** What a cashier may do; null is no limit. */
export interface Limits {
  readonly name: string;
  readonly pay_most_cents: number | null;
  readonly off_most_cents: number | null;
  readonly refund_most_cents: number | null;
  readonly refund_day_cents: number | null;
}

/** Why a cashier may not take a payment of so much; undefined where he may. */
export const whyNotPay = ({ name, pay_most_cents }: Limits, cents: number): string | undefined =>
  pay_most_cents !== null && cents > pay_most_cents
    ? `超过收银员${name}的单笔收款上限 ¥${yuan(pay_most_cents)}，请换有权限的收银员`
    : undefined;

/** Why a cashier may not take so much off by hand; undefined where he may. */
export function whyNotOff({ name, off_most_cents }: Limits, cents: number): string | undefined {
  if (off_most_cents === null || cents <= off_most_cents) return undefined;
  if (off_most_cents === 0) return `收银员${name}不能手工优惠，请换有权限的收银员`;
  return `超过收银员${name}的单笔手工优惠上限 ¥${yuan(off_most_cents)}，请换有权限的收银员`;
}

/** Why a cashier may not give so much back, after what he gave back today; undefined where he may. */
export function whyNotRefund(limits: Limits, cents: number, today_cents: number): string | undefined {
  const { name, refund_most_cents, refund_day_cents } = limits;
  if (refund_most_cents === 0 || refund_day_cents === 0) return `收银员${name}不能退款，请由店长在后台退款`;
  if (refund_most_cents !== null && cents > refund_most_cents)
    return `超过收银员${name}的单笔退款上限 ¥${yuan(refund_most_cents)}，请由店长在后台退款`;
  if (refund_day_cents === null || today_cents + cents <= refund_day_cents) return undefined;
  const left = Math.max(0, refund_day_cents - today_cents);
  return `超过收银员${name}的当日退款限额 ¥${yuan(refund_day_cents)}，今日还可退 ¥${yuan(left)}，请由店长在后台退款`;
}
