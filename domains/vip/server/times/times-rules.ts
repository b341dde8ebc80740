import { proportion, yuan } from "@zhangfang/contract/money.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { TimesReason } from "../../contract/index.ts";

/** A use may be taken back for so long. */
export const REVERSE_MS = 24 * 3600_000;
/** 七日: through the seventh day after the purchase, at 24:00. */
export const WHOLE_DAYS = 7;

export interface TimesFacts {
  readonly price_cents: number;
  readonly single_price_cents: number;
  readonly times: number;
  readonly gift_times: number;
  readonly left_times: number;
  readonly paid_at: string | null;
}
const all = ({ times, gift_times }: TimesFacts): number => times + gift_times;
export const usedOf = (card: TimesFacts): number => all(card) - card.left_times;
/** What of the price so many uses come to: in one go, so that uses never drift from it. */
export const earnedBy = (card: TimesFacts, used: number): number => proportion(card.price_cents, used, all(card));

/** What goes back for a reason, with how it is reckoned, and why it may not. */
export interface TimesRefund {
  readonly reason: TimesReason;
  readonly refund_cents: number;
  readonly forfeited_cents: number;
  readonly how: string;
  readonly refusal: string | null;
}
/**
 * The three sums of 法释〔2025〕4号: nothing used and within seven days the price; where the shop is the reason, what is left of it; where
 * the customer is, the price less what the uses cost one by one.
 * @param before whether the customer had the same card before, who then has no seven days
 */
export function refundsOf(card: TimesFacts, now: string, before: boolean): TimesRefund[] {
  const used = usedOf(card);
  const left_cents = card.price_cents - earnedBy(card, used);
  const through = addDays(shanghaiDay(card.paid_at ?? now), WHOLE_DAYS);
  const [price, single] = [yuan(card.price_cents), yuan(card.single_price_cents)];
  const late = shanghaiDay(now) > through ? `第 ${WHOLE_DAYS} 天是 ${through}，已过` : null;
  const whole = used > 0 ? `已核销 ${used} 次` : (late ?? (before ? "顾客之前买过同一种次卡" : null));
  const rest = Math.max(0, card.price_cents - used * card.single_price_cents);
  const nothing = (cents: number): string | null => (cents === 0 ? "没有可退的金额" : null);
  return [
    {
      reason: 1,
      refund_cents: card.price_cents,
      forfeited_cents: left_cents - card.price_cents,
      how: `退回全部售价 ${price}`,
      refusal: whole,
    },
    {
      reason: 2,
      refund_cents: left_cents,
      forfeited_cents: 0,
      how: `售价 ${price} − 已用 ${used} 次折 ${yuan(card.price_cents - left_cents)}（${price} × ${used} ÷ ${all(card)}）`,
      refusal: nothing(left_cents),
    },
    {
      reason: 3,
      refund_cents: rest,
      forfeited_cents: left_cents - rest,
      how: `售价 ${price} − 已用 ${used} 次 × 单次价 ${single}${rest === 0 ? "，不足 0 按 0" : ""}`,
      refusal: nothing(rest),
    },
  ];
}
