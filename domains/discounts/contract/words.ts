import { yuan } from "@zhangfang/contract/money.ts";
import { daysWords, percentWords } from "../../coupons/contract/words.ts";
import type { DiscountKind } from "./codes.ts";
import type { DiscountTerms } from "./rules.ts";

const plain = (cents: number): string => yuan(cents).replace(/\.00$/, "");
function worth(kind: DiscountKind, { minCents, offCents, everyCents, percent, capCents, lowCents, highCents }: DiscountTerms): string {
  const from = minCents > 0 ? `满 ${plain(minCents)} 元` : "";
  const cap = capCents === null ? "" : `，最多减 ${plain(capCents)} 元`;
  if (kind === 1) return `第一单${from}减 ${plain(offCents ?? 0)} 元`;
  if (kind === 2) return `每满 ${plain(everyCents ?? 0)} 元减 ${plain(offCents ?? 0)} 元${cap}`;
  if (kind === 4) return `${from}随机减 ${plain(lowCents ?? 0)} 到 ${plain(highCents ?? 0)} 元`;
  return percent === null ? `${from}减 ${plain(offCents ?? 0)} 元` : `${from}打 ${percentWords(percent)}${cap}`;
}
/** A rule as one sentence, as the form, the list and the audit say it: every condition appears once. */
export function sayRule(
  kind: DiscountKind,
  terms: DiscountTerms,
  { once, budgetCents, group }: { readonly once: boolean; readonly budgetCents: number | null; readonly group: string },
  levels: Readonly<Record<number, string>> = {},
): string {
  const { firstDay, lastDay, weekdays, monthDays, windows, storeIds, without } = terms;
  const span = firstDay !== null || lastDay !== null ? `${firstDay ?? "即日"} 至 ${lastDay ?? "长期"}` : "";
  const days = [monthDays.length > 0 ? `每月 ${monthDays.toSorted((a, b) => a - b).join("、")} 日` : "", daysWords(weekdays)];
  const hours = windows.map(({ from, to }) => `${from}–${to}`).join("、");
  const when = [...days, hours].filter((part) => part !== "").join(" ");
  const who =
    terms.levels.length > 0
      ? terms.levels.map((rank) => levels[rank] ?? `${rank} 级会员`).join("、")
      : terms.membersOnly || kind === 1 || kind === 3 || once
        ? "会员"
        : "";
  const not = without.map((source) => ({ member: "会员优惠", coupon: "优惠券", points: "积分抵扣" })[source]).join("、");
  const parts = [
    span,
    when,
    storeIds.length > 0 ? `在指定的 ${storeIds.length} 家门店` : "",
    `${who}${worth(kind, terms)}`,
    once && kind !== 1 ? "每人一次" : "",
    budgetCents === null ? "" : `预算 ${plain(budgetCents)} 元，用完为止`,
    group === "" ? "" : `「${group}」组里只用最优先的一条`,
    not === "" ? "" : `不与${not}同享`,
  ];
  return `${parts.filter((part) => part !== "").join("，")}。`;
}
/** What each kind needs; said at its field. */
export function lacksOf(
  kind: number,
  { offCents, everyCents, percent, lowCents, highCents, capCents }: DiscountTerms,
): Record<string, string> {
  const lacks: Record<string, string> = {};
  if ((kind === 1 || kind === 2) && offCents === null) lacks["terms.offCents"] = "请填写优惠金额";
  if (kind === 2 && everyCents === null) lacks["terms.everyCents"] = "请填写每满多少";
  if (kind === 2 && everyCents !== null && offCents !== null && offCents > everyCents) lacks["terms.offCents"] = "优惠不能超过每满的金额";
  if (kind === 3 && offCents === null && percent === null) lacks["terms.percent"] = "请填写折扣或优惠金额";
  if (kind === 3 && percent !== null && capCents === null) lacks["terms.capCents"] = "折扣须填写最多减";
  if (kind === 4 && lowCents === null) lacks["terms.lowCents"] = "请填写最少减";
  if (kind === 4 && highCents === null) lacks["terms.highCents"] = "请填写最多减";
  return lacks;
}
