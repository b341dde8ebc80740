import { yuan } from "@zhangfang/contract/money.ts";
import type { ActivityKind } from "./codes.ts";
import type { ActivityTerms, Gift } from "./terms.ts";

/** What coupons are worth, by campaign. @example { "…": "满 80 减 20" } */
export type CouponNames = Readonly<Record<string, string>>;
const counted = (n: number): string => n.toLocaleString("en-US");
const plain = (cents: number): string => yuan(cents).replace(/\.00$/, "");

/** A gift in a few words. @example "满 80 减 20 的券 2 张、100 积分、5 元赠送余额" */
export function giftWords({ coupons, points, pointsDays, giftCents }: Gift, names: CouponNames = {}): string {
  const parts = [
    ...coupons.map(({ campaignId, count }) => `${names[campaignId] ?? "优惠"} 的券 ${count} 张`),
    ...(points > 0 ? [`${counted(points)} 积分${pointsDays === null ? "" : `（${pointsDays} 天内用）`}`] : []),
    ...(giftCents > 0 ? [`${plain(giftCents)} 元赠送余额`] : []),
  ];
  return parts.join("、");
}

/** When and for whom. */
export interface Span {
  readonly firstDay: string;
  readonly lastDay: string;
}
const WHO: Readonly<Record<ActivityKind, (terms: ActivityTerms) => string>> = {
  new: () => "新成为会员、从没下过单的顾客",
  birthday: ({ daysBefore }) => (daysBefore === 0 ? "生日当天的会员" : `再过 ${daysBefore} 天过生日的会员`),
  scan: () => "用手机打开活动码的会员",
  fans: ({ storeIds }) =>
    storeIds.length > 0 ? `第一次关注公众号、扫的是指定的 ${storeIds.length} 家门店渠道码的会员` : "第一次关注公众号的会员",
  paid: ({ minCents }) => (minCents > 0 ? `一单付满 ${plain(minCents)} 元（储值也算）的会员` : "付款的会员"),
  recommend: ({ minCents, friendToo }) =>
    `推荐新朋友入会，朋友 30 天内的第一单实付${minCents > 0 ? `满 ${plain(minCents)} 元` : ""}、过 7 天没退款，${friendToo ? "推荐人和朋友都" : "推荐人"}`,
};
const ONCE: Readonly<Record<ActivityKind, (terms: ActivityTerms) => string>> = {
  new: () => "每人一次",
  birthday: () => "每人每年一次，今年改过的生日明年起算",
  scan: ({ once }) => (once === "day" ? "每人每天一次" : "每人一次"),
  fans: () => "每人一次，取消后再关注不再给",
  paid: () => "每单一次，充值、买卡、买券包不算；退款后不满金额的，收回没用的券和积分",
  recommend: ({ perDay }) => `每位朋友算一次，只算直接推荐的，每天最多 ${perDay} 位`,
};
/**
 * The rules as the form, the audit and the customer's phone say them: at most five sentences, and every condition in one of them
 * (design/second-half.md 1 and 3).
 */
export function sayActivity(kind: ActivityKind, terms: ActivityTerms, { firstDay, lastDay }: Span, names: CouponNames = {}): string[] {
  const where = kind !== "fans" && terms.storeIds.length > 0 ? `，限指定的 ${terms.storeIds.length} 家门店` : "";
  const balance = terms.gift.giftCents > 0 ? "赠送余额只抵消费，不可退、不折现。" : "";
  return [
    `${firstDay} 至 ${lastDay}，${WHO[kind](terms)}可得${where}。`,
    `礼品：${giftWords(terms.gift, names)}，自动到账，在会员页能看到。`,
    `${ONCE[kind](terms)}${kind === "paid" ? "" : "；同一手机号、微信、付款账号或手机只算一个人"}。`,
    `共 ${counted(terms.places)} 份，送完为止。`,
    `${balance}${terms.note}`,
  ].filter((sentence) => sentence !== "");
}
