import { yuan } from "@zhangfang/contract/money.ts";
import type { LevelBasis } from "./codes.ts";

/** @example discountWords(95) // "9.5 折" */
export const discountWords = (discount: number): string => `${discount % 10 === 0 ? discount / 10 : (discount / 10).toFixed(1)} 折`;
/** A sum of yuan without its cents where there are none. */
export const plainYuan = (cents: number): string => yuan(cents).replace(/\.00$/, "");

/** What a level asks for, in one sentence. */
export function levelSentence(level: {
  readonly basis: LevelBasis;
  readonly threshold: number | null;
  readonly priceCents: number | null;
  readonly months: number | null;
}): string {
  const { basis, threshold, priceCents, months } = level;
  if (basis === "paid") return `付 ${plainYuan(priceCents ?? 0)} 元开通，用 ${months ?? 0} 个月；续费接在后面`;
  if (basis === "growth") return `近 12 个月成长值满 ${(threshold ?? 0).toLocaleString("en-US")} 升级，保级 12 个月`;
  return `近 12 个月消费满 ${plainYuan(threshold ?? 0)} 元升级，保级 12 个月`;
}
/** What a level is worth, in words; nothing where it has no right. */
export function rightsWords(rights: {
  readonly discount: number | null;
  readonly multiple: number | null;
  readonly birthdayPoints: number | null;
  readonly birthdayGiftCents: number | null;
  readonly birthdayCoupons: string;
  readonly monthlyCoupons: string;
}): string[] {
  const { discount, multiple, birthdayPoints, birthdayGiftCents, birthdayCoupons, monthlyCoupons } = rights;
  return [
    ...(discount === null ? [] : [`享 ${discountWords(discount)}`]),
    ...(multiple === null ? [] : [`积分 ${multiple / 100} 倍`]),
    ...(birthdayPoints === null ? [] : [`生日送 ${birthdayPoints.toLocaleString("en-US")} 积分`]),
    ...(birthdayGiftCents === null ? [] : [`生日送储值 ${plainYuan(birthdayGiftCents)} 元`]),
    ...(birthdayCoupons === "" ? [] : [`生日送${birthdayCoupons}`]),
    ...(monthlyCoupons === "" ? [] : [`每月送${monthlyCoupons}`]),
  ];
}
