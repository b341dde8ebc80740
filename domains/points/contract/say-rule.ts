import { yuan } from "@zhangfang/contract/money.ts";
import type { PointRule } from "./rule.ts";

const DAYS = ["", "周一", "周二", "周三", "周四", "周五", "周六", "周日"] as const;
const daysOf = (weekdays: readonly number[]): string =>
  weekdays
    .toSorted((a, b) => a - b)
    .map((one) => DAYS[one])
    .join("、");
const times = (multiple: number): string => `${Number((multiple / 100).toFixed(2))} 倍`;

/** A rule as one sentence, in a customer's words: for the form, the history, and whoever is asked for it. */
export function sayRule({ earn, spend, expiry }: PointRule, nameOf: (storeId: string) => string): string {
  return [sayEarn(earn, nameOf), saySpend(spend, nameOf), sayExpiry(expiry)].join("");
}
const places = (storeIds: readonly string[], nameOf: (id: string) => string): string => storeIds.map(nameOf).join("、");

function sayEarn(earn: PointRule["earn"], nameOf: (id: string) => string): string {
  if (!earn.on) return "消费不送积分。";
  const more = [
    earn.storeIds.length > 0 && earn.storeMultiple > 100 && `${places(earn.storeIds, nameOf)} ${times(earn.storeMultiple)}`,
    earn.weekdays.length > 0 && earn.weekdayMultiple > 100 && `${daysOf(earn.weekdays)} ${times(earn.weekdayMultiple)}`,
    earn.birthdayMultiple > 100 && `生日当天 ${times(earn.birthdayMultiple)}`,
  ].filter(Boolean);
  return [
    `${earn.onRecharge ? "充值" : "消费"}每满 ${yuan(earn.perCents)} 元得 ${earn.points} 积分`,
    more.length > 0 && `，${more.join("，")}，取最高的一项`,
    earn.pendingDays > 0 && `，${earn.pendingDays} 天后可用`,
    earn.dayCap !== null && `，每人每天最多 ${earn.dayCap} 积分`,
    "。",
  ]
    .filter(Boolean)
    .join("");
}
function saySpend(spend: PointRule["spend"], nameOf: (id: string) => string): string {
  if (!spend.on) return "积分不能抵现。";
  return [
    `${spend.points} 积分抵 ${yuan(spend.cents)} 元，每次用 ${spend.stepPoints} 的整数倍`,
    spend.leastPoints > 0 && `，至少 ${spend.leastPoints} 积分`,
    `，最多抵优惠后的 ${spend.mostRate / 1_000}%`,
    spend.mostCents !== null && `且不超过 ${yuan(spend.mostCents)} 元`,
    spend.storeIds.length > 0 && `，限 ${places(spend.storeIds, nameOf)}`,
    spend.weekdays.length > 0 && `，限 ${daysOf(spend.weekdays)}`,
    "。",
  ]
    .filter(Boolean)
    .join("");
}
export function sayExpiry({ kind, months, monthDay, yearsBack }: PointRule["expiry"]): string {
  if (kind === "never") return "积分长期有效。";
  if (kind === "months") return `积分自可用之日起 ${months} 个月内有效。`;
  return `每年 ${monthDay} 清掉${yearsBack === 0 ? "当年" : "上一年底前"}得的积分，提前 30 天预告。`;
}
