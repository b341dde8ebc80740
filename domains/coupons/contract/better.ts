import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { done, flag, id } from "@zhangfang/contract/fields.ts";
import { type CouponTerms, couponTerms } from "./terms.ts";

/** 改善条款 of a merchant's own campaign that gives out: it waits for another's yes, and holds for what is received after that. */
export const askBetter = write({
  path: "/api/coupons/campaigns/better",
  title: "改善优惠券条款",
  access: "/merchantTicket/new",
  /** `version`: the terms that were read. */
  input: z.object({ id, version: z.int(), terms: couponTerms }),
  output: z.object({ n: z.int() }),
});
/** 撤回改动: by who asked, while it waits. */
export const withdrawBetter = write({
  path: "/api/coupons/campaigns/better/withdraw",
  title: "撤回优惠券条款改动",
  access: "/merchantTicket/new",
  input: z.object({ id, n: z.int() }),
  output: done,
});
/** 审核改动: by another than who asked. */
export const decideBetter = write({
  path: "/api/coupons/campaigns/better/decide",
  title: "审核优惠券条款改动",
  access: "/merchantTicket/list/audit",
  input: z.object({ id, n: z.int(), approve: flag, refundPassword: z.string().max(64).optional() }),
  output: done,
});

/** A list of which none means all: another that lets no less. */
const lets = <T>(next: readonly T[], old: readonly T[]): boolean =>
  next.length === 0 || (old.length > 0 && old.every((one) => next.includes(one)));
const within = <T>(next: readonly T[], old: readonly T[]): boolean => next.every((one) => old.includes(one));
const orNone = (cents: number | null): number => cents ?? 0;

function shorter({ validity: next }: CouponTerms, { validity: old }: CouponTerms): boolean {
  if (next.mode === 2 && old.mode === 2) return next.from > old.from || next.to < old.to;
  if (next.mode === 3 && old.mode === 3) return next.wait > old.wait || next.unit !== old.unit || next.count < old.count;
  return true;
}
const narrower = ({ windows: next }: CouponTerms, { windows: old }: CouponTerms): boolean =>
  next.length > 0 &&
  (old.length === 0 ||
    old.some(
      (one) =>
        !next.some(
          ({ from, to }) => (from === one.from && to === one.to) || (from < to && one.from < one.to && from <= one.from && to >= one.to),
        ),
    ));

/**
 * What of new terms is worse for the customer than the old ones, in the order of the form; nothing where none is. After somebody said yes to
 * terms they only get better (marketing.md 1).
 */
export function worseIn(old: CouponTerms, next: CouponTerms): { readonly field: keyof CouponTerms; readonly why: string } | undefined {
  const rules: readonly (readonly [worse: boolean, field: keyof CouponTerms, why: string])[] = [
    [next.kind !== old.kind, "kind", "券类型不能改，请新建一张"],
    [next.minCents > old.minCents, "minCents", "门槛只能降低"],
    [orNone(next.offCents) < orNone(old.offCents), "offCents", "优惠金额只能提高"],
    [(next.percent ?? 0) > (old.percent ?? 0), "percent", "折扣只能更低"],
    [orNone(next.priceCents) > orNone(old.priceCents), "priceCents", "换购价只能降低"],
    [orNone(next.capCents) < orNone(old.capCents), "capCents", "最多减只能提高"],
    [next.maxUnits < old.maxUnits, "maxUnits", "件数只能增加"],
    [!within(old.goodsTags, next.goodsTags), "goodsTags", "商品标签只能增加"],
    [!within(old.skus, next.skus), "skus", "商品只能增加"],
    [shorter(next, old), "validity", "使用期只能更长、更早开始"],
    [!lets(next.weekdays, old.weekdays), "weekdays", "可用的星期只能增加"],
    [narrower(next, old), "windows", "可用时段只能放宽"],
    [!within(next.excluded, old.excluded), "excluded", "不可用的日期只能减少"],
    [!within(old.methods, next.methods), "methods", "核销方式只能增加"],
    [!lets(next.storeIds, old.storeIds), "storeIds", "可用门店只能增加"],
    [!lets(next.levels, old.levels), "levels", "能领的等级只能增加"],
    [!lets(next.memberTags, old.memberTags), "memberTags", "能领的会员标签只能增加"],
    [next.newOnly && !old.newOnly, "newOnly", "不能改成只给新客"],
    [!within(next.without, old.without), "without", "不同享的只能减少"],
    [next.graceDays < old.graceDays, "graceDays", "退券顺延的天数只能增加"],
    [next.note !== old.note, "note", "使用须知不能改"],
  ];
  const [worse] = rules.filter(([is]) => is);
  return worse && { field: worse[1], why: worse[2] };
}
