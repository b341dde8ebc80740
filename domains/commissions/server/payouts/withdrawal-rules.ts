import { share, yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { codeWords } from "../../../channels/contract.ts";

/** A provider's terms of withdrawal. */
export interface PayoutTerms {
  readonly min_cents: number;
  readonly fee_fixed_cents: number;
  readonly fee_rate: number;
  readonly freeze_days: number;
  readonly unapproved_up_to_cents: number;
  /** 1 Monday to 7 Sunday. */
  readonly weekdays: readonly number[];
  readonly from_hour: number;
  readonly to_hour: number;
  readonly pays_wechat: boolean;
}
const NAMES = ["周一", "周二", "周三", "周四", "周五", "周六", "周日"] as const;

/** What is taken for paying out: fixed, and a part of the amount. */
export const withdrawalFee = (
  { fee_fixed_cents, fee_rate }: Pick<PayoutTerms, "fee_fixed_cents" | "fee_rate">,
  amount_cents: number,
): number => fee_fixed_cents + share(amount_cents, fee_rate);

/** Why nothing can be asked for at a moment, in words; undefined where it can. */
export function closedNow({ weekdays, from_hour, to_hour }: PayoutTerms, now_ms: number): string | undefined {
  const local = shanghaiTime(now_ms);
  const weekday = ((new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
  const hour = Number(local.slice(11, 13));
  if (weekdays.includes(weekday) && hour >= from_hour && hour < to_hour) return undefined;
  const days =
    weekdays.length === 7
      ? "每天"
      : weekdays
          .toSorted((a, b) => a - b)
          .map((day) => NAMES[day - 1])
          .join("、");
  return `提现时间为${days} ${from_hour}:00 至 ${to_hour}:00`;
}
/** What is wrong with an amount, in words; undefined where nothing is. */
export function amountRefusal(terms: PayoutTerms, amount_cents: number, withdrawable_cents: number): string | undefined {
  if (amount_cents < terms.min_cents) return `最低提现 ¥${yuan(terms.min_cents)}`;
  if (amount_cents > withdrawable_cents) return `最多可提现 ¥${yuan(Math.max(0, withdrawable_cents))}`;
  const fee_cents = withdrawalFee(terms, amount_cents);
  if (fee_cents >= amount_cents) return `手续费 ¥${yuan(fee_cents)} 不低于提现金额`;
  return undefined;
}
/** Above the provider's limit somebody else has to approve. */
export const needsApproval = ({ unapproved_up_to_cents }: PayoutTerms, amount_cents: number): boolean =>
  amount_cents > unapproved_up_to_cents;

/** Why a transfer came to nothing, where the channel's word for it is a known one (订单失败原因说明, 4013774966). */
const FAILURES: Readonly<Record<string, string>> = {
  OVERDUE_CLOSE: "收款人 24 小时内没有确认收款，转账已关闭",
  MCH_CANCEL: "转账已撤销",
  PAYEE_ACCOUNT_ABNORMAL: "收款人的微信账户异常",
  NAME_NOT_CORRECT: "收款人姓名与微信实名不符",
};
export const failureText = (reason: string | null, state: "failed" | "cancelled"): string =>
  (reason === null ? undefined : (FAILURES[reason] ?? codeWords(reason))) ?? (state === "failed" ? "转账失败" : "转账已撤销");

/** When to look at a transfer next: soon at first, then at most every ten minutes. */
export function nextPayoutLook_ms(created_at: string, now_ms: number): number {
  const age_ms = Math.max(0, now_ms - Date.parse(created_at));
  return Math.min(600_000, Math.max(15_000, Math.floor(age_ms / 4)));
}
