import { addDays, dayStart, daysBetween, shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { type CouponCarrier, couponCarrier, type CouponTerms } from "../../contract/index.ts";

/** What of a campaign WeChat looks at. */
export interface CarriedFacts {
  readonly carrier: CouponCarrier;
  readonly name: string;
  readonly terms: CouponTerms;
  readonly total: number;
  readonly perPerson: number;
  readonly beginsAt: string;
  readonly endsAt: string;
}
interface Limits {
  /** How long a batch may last, and how long before its beginning it may be made. */
  readonly longest_days: number;
  readonly ahead_days: number | null;
  readonly total: readonly [number, number];
  readonly perPerson: number;
  readonly off_cents: readonly [number, number];
  /** All of it together. */
  readonly most_cents: number | null;
  readonly goodsName: number;
}
/**
 * What WeChat takes (channels.md 2; docs/channels.md says where each stands). 商家券: …/docs/partner/products/merchant-exclusive-coupon/
 * apilist.html; 代金券: …/doc/v3/partner/4012534537, and 60 a person from community/pay/doc/0008c209abc2f0b4b23d7ef1651000.
 */
export const CARRIER_LIMITS: Readonly<Record<Exclude<CouponCarrier, "NONE">, Limits>> = {
  busifavor: {
    longest_days: 365,
    ahead_days: null,
    total: [1, 1_000_000_000],
    perPerson: 100,
    off_cents: [1, 10_000_000],
    most_cents: null,
    goodsName: 15,
  },
  favor: {
    longest_days: 90,
    ahead_days: 365,
    total: [5, 10_000_000],
    perPerson: 60,
    off_cents: [2, 100_000],
    most_cents: 10_000_000_000,
    goodsName: 15,
  },
};
/** From when to when a batch's coupons are good at WeChat: the period of the terms, else as long as the campaign gives out. */
export function batchSpan({ terms: { validity }, beginsAt, endsAt }: Pick<CarriedFacts, "terms" | "beginsAt" | "endsAt">): {
  readonly from: string;
  readonly to: string;
} {
  if (validity.mode === 3) return { from: beginsAt, to: endsAt };
  return { from: dayStart(validity.from), to: new Date(Date.parse(dayStart(addDays(validity.to, 1))) - 1_000).toISOString() };
}

type Problem = readonly [field: string, message: string];
const count = (n: number): string => n.toLocaleString("en-US");
/** Why WeChat would not take a campaign: the field, and what is wrong there. Nothing where it would. */
export function carrierProblem(facts: CarriedFacts, now_ms: number): Problem | undefined {
  const { carrier } = facts;
  if (carrier === "NONE") return undefined;
  const limits = CARRIER_LIMITS[carrier];
  const what = couponCarrier.label(carrier);
  return sizeProblem(facts, limits, what) ?? spanProblem(facts, limits, what, now_ms) ?? termProblem(facts, what);
}
function sizeProblem({ total, perPerson, terms: { offCents } }: CarriedFacts, limits: Limits, what: string): Problem | undefined {
  const [least, most] = limits.total;
  if (total < least || total > most) return ["total", `${what}的发放总量须为 ${count(least)} 到 ${count(most)} 张`];
  if (perPerson > limits.perPerson) return ["perPerson", `${what}每人最多 ${limits.perPerson} 张`];
  if (perPerson > total) return ["perPerson", `${what}的每人限领不能超过发放总量`];
  if (offCents === null) return undefined;
  const [little, much] = limits.off_cents;
  if (offCents < little || offCents > much) return ["terms.offCents", `${what}的优惠金额须为 ${yuan(little)} 到 ${yuan(much)} 元`];
  if (limits.most_cents !== null && offCents * total > limits.most_cents)
    return ["total", `${what}的总金额不能超过 ${yuan(limits.most_cents)} 元`];
  return undefined;
}
function spanProblem(facts: CarriedFacts, limits: Limits, what: string, now_ms: number): Problem | undefined {
  const { from, to } = batchSpan(facts);
  const fixed = facts.terms.validity.mode === 2;
  if (Date.parse(to) - Date.parse(from) > limits.longest_days * 86_400_000)
    return [fixed ? "terms.validity.to" : "endsAt", `${what}从开始到结束最长 ${limits.longest_days} 天`];
  if (limits.ahead_days !== null && daysBetween(shanghaiDay(now_ms), shanghaiDay(from)) > limits.ahead_days)
    return [fixed ? "terms.validity.from" : "beginsAt", `${what}须在 ${limits.ahead_days} 天内开始`];
  return undefined;
}
/** Terms that WeChat has no words for; what our tills check besides stands in its 使用须知. */
function termProblem({ carrier, name, terms }: CarriedFacts, what: string): Problem | undefined {
  const { validity, windows, excluded, graceDays, kind, minCents, offCents, weekdays } = terms;
  if (excluded.length > 0) return ["terms.excluded", `${what}不能排除个别日期`];
  if (graceDays > 0) return ["terms.graceDays", `${what}过期后不能退回，不能设顺延`];
  if (carrier === "busifavor") {
    if (validity.mode === 3 && validity.unit !== "day") return ["terms.validity.unit", `${what}按天计算使用期，请改成天数`];
    if (windows.some(({ from, to }) => from > to)) return ["terms.windows", `${what}的时段不能跨过零点`];
    return undefined;
  }
  const wide = [...name].filter((one) => one > "\u00ff").length;
  if (wide > 9 || [...name].length + wide > 20) return ["name", `${what}的名称最多 9 个汉字或 20 个字母`];
  if (/[_,;|]/.test(name)) return ["name", `${what}的名称不能有 _ , ; |`];
  if (kind !== 1) return ["carrier", `${what}只能是全场满减`];
  if (minCents <= (offCents ?? 0)) return ["terms.minCents", `${what}的门槛须高于优惠金额`];
  if (validity.mode === 3) return ["carrier", `${what}只能用固定的使用时间段，请改「什么时候能用」`];
  if (windows.length > 0 || weekdays.length > 0) return ["carrier", `${what}不能限星期和时段`];
  return undefined;
}
