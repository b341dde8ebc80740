import { yuan } from "@zhangfang/contract/money.ts";
import { redemption, validityUnit, WEEKDAYS } from "./codes.ts";
import type { CouponTerms } from "./terms.ts";

const plain = (cents: number): string => yuan(cents).replace(/\.00$/, "");
/** @example percentWords(88) // "8.8 折" */
export const percentWords = (percent: number): string => `${percent % 10 === 0 ? percent / 10 : (percent / 10).toFixed(1)} 折`;

function whenGood({ validity }: CouponTerms): string {
  if (validity.mode === 2) return `${validity.from} 至 ${validity.to}`;
  const from = validity.wait === 0 ? "领取后" : "领取后从第二天起";
  return `${from} ${validity.count} ${validityUnit.label(validity.unit)}内`;
}
/** @example daysWords([1, 2, 3, 4, 5]) // "周一至周五" */
export function daysWords(weekdays: readonly number[]): string {
  const all = [...new Set(weekdays)].toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  if (all.length === 0 || all.length === 7) return "";
  const places = all.map((one) => (one + 6) % 7);
  const row = places.every((place, at) => at === 0 || place === places[at - 1]! + 1);
  return row && all.length > 2 ? `${WEEKDAYS[all[0]!]}至${WEEKDAYS[all.at(-1)!]}` : all.map((one) => WEEKDAYS[one]).join("、");
}
/** Which hours of which days; empty where always. */
export function hoursWords({ weekdays, windows, excluded }: Pick<CouponTerms, "weekdays" | "windows" | "excluded">): string {
  const hours = windows.map(({ from, to }) => `${from}–${to}`).join("、");
  const except = excluded.length > 0 ? `（除 ${excluded.join("、")}）` : "";
  return [daysWords(weekdays), hours].filter((part) => part !== "").join(" ") + except;
}
/** What names stand for: goods by tag or number, levels by rank. What is missing is said by its own code. */
export interface Names {
  readonly goods?: Readonly<Record<string, string>>;
  readonly levels?: Readonly<Record<number, string>>;
}
function worth(terms: CouponTerms, { goods = {} }: Names): string {
  const { kind, minCents, offCents, percent, capCents, priceCents, maxUnits } = terms;
  const things = [...terms.goodsTags, ...terms.skus].map((code) => goods[code] ?? code).join("、");
  const reached = minCents > 0 ? `其他优惠算完还满 ${plain(minCents)} 元，` : "";
  const cap = capCents === null ? "" : `，最多减 ${plain(capCents)} 元`;
  if (kind === 1) return `${reached}可减 ${plain(offCents ?? 0)} 元`;
  if (kind === 2) return `${reached}可打 ${percentWords(percent ?? 100)}${cap}`;
  if (kind === 3) return `${things} ${reached}可减 ${plain(offCents ?? 0)} 元`;
  if (kind === 4) return `${things} ${reached}最贵的 ${maxUnits} 件可打 ${percentWords(percent ?? 100)}${cap}`;
  return `${minCents > 0 ? `其他商品还满 ${plain(minCents)} 元，` : ""}可用 ${plain(priceCents ?? 0)} 元换购 1 件 ${things}${cap}`;
}
/**
 * The terms as one sentence, as the form, the audit and the customer's phone say them (design/second-half.md 4.02): every condition
 * appears once.
 */
export function sayTerms(terms: CouponTerms, names: Names = {}): string {
  const who = [
    ...(terms.newOnly ? ["从没下过单的新客"] : []),
    ...(terms.levels.length > 0 ? [terms.levels.map((rank) => names.levels?.[rank] ?? `${rank} 级会员`).join("、")] : []),
    ...(terms.memberTags.length > 0 ? [`标签 ${terms.memberTags.join("、")} 的会员`] : []),
  ].join("，且是");
  const without = terms.without.map((source) => ({ member: "会员优惠", auto: "自动优惠", points: "积分抵扣" })[source]).join("、");
  const parts = [
    who === "" ? "" : `限${who}领取`,
    whenGood(terms),
    hoursWords(terms),
    terms.storeIds.length > 0 ? `在指定的 ${terms.storeIds.length} 家门店` : "",
    worth(terms, names),
    terms.methods.length === 1 && terms.methods[0] === "OFF_LINE" ? "" : terms.methods.map((one) => redemption.label(one)).join("、"),
    without === "" ? "" : `不与${without}同享`,
    terms.graceDays > 0 ? `整单退款退回时已过期的顺延 ${terms.graceDays} 天` : "",
  ];
  return `${parts.filter((part) => part !== "").join("，")}。`;
}
/** What a coupon is worth in a few words, for a list. @example "满 80 减 20" */
export function worthWords({ kind, minCents, offCents, percent, priceCents }: CouponTerms): string {
  const from = minCents > 0 ? `满 ${plain(minCents)} ` : "";
  if (kind === 1 || kind === 3) return from === "" ? `立减 ${plain(offCents ?? 0)} 元` : `${from}减 ${plain(offCents ?? 0)}`;
  if (kind === 5) return `${from === "" ? "" : `${from.trim()}，`}${plain(priceCents ?? 0)} 元换购`;
  return `${from === "" ? "" : `${from}打 `}${percentWords(percent ?? 100)}`;
}
/** What is in a package, in a few words. @example "满 80 减 20 × 2、8.8 折" */
export const packageContent = (items: readonly { readonly worth: string; readonly count: number }[]): string =>
  items.map(({ worth, count }) => (count > 1 ? `${worth} × ${count}` : worth)).join("、");
