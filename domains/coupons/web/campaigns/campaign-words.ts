import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import type { CouponTerms } from "../../contract/index.ts";

/** The most that one coupon takes off; nothing while it is not typed yet. */
export const worthMost = ({ kind, offCents, capCents }: Partial<CouponTerms>): number | undefined => {
  const cents = kind === 1 || kind === 3 ? offCents : capCents;
  return cents === null || cents === undefined || Number.isNaN(cents) ? undefined : cents;
};
/** @example plainYuan(8_000) // "80" */
export const plainYuan = (cents: number): string => yuan(cents).replace(/\.00$/, "");
/** @example counted(5_000) // "5,000" */
export const counted = (n: number): string => n.toLocaleString("en-US");
/** Who bears what comes off, in words. */
export const borneWords = (percent: number): string =>
  percent === 100 ? "服务商全部承担" : percent === 0 ? "商户全部承担" : `服务商承担 ${percent}%，商户承担 ${100 - percent}%`;
/** A moment without its seconds. @example minute("2026-12-01T02:00:00Z") // "2026-12-01 10:00" */
export const minute = (at: string): string => shanghaiTime(at).slice(0, 16);

export interface Limits {
  readonly total?: number | undefined;
  readonly perPerson?: number | undefined;
  readonly perPersonDay?: number | null | undefined;
  readonly perDay?: number | null | undefined;
  readonly beginsAt?: string | undefined;
  readonly endsAt?: string | undefined;
}
/** How it is received, as one sentence; what is missing is left out. @example "2026-12-01 10:00 至 2026-12-31 24:00 可领，每人最多 2 张，共 5,000 张。" */
export function sayLimits({ total, perPerson, perPersonDay, perDay, beginsAt, endsAt }: Limits, mode: 2 | 3): string {
  const known = (n: number | null | undefined): n is number => n !== null && n !== undefined && !Number.isNaN(n);
  const latest = mode === 3 ? "，最晚也用到那时" : "";
  const parts = [
    beginsAt && endsAt ? `${minute(beginsAt)} 至 ${endOf(endsAt)}可领${latest}` : "",
    known(perPerson) ? `每人最多 ${counted(perPerson)} 张` : "",
    known(perPersonDay) ? `每人每天 ${counted(perPersonDay)} 张` : "",
    known(perDay) ? `每天共发 ${counted(perDay)} 张` : "",
    known(total) ? `共 ${counted(total)} 张` : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `${parts.join("，")}。`;
}
/** An end at midnight belongs to the day before. @example endOf("2026-12-31T16:00:00Z") // "2026-12-31 24:00 " */
export function endOf(at: string): string {
  const text = minute(at);
  return text.endsWith("00:00") ? `${shanghaiTime(new Date(Date.parse(at) - 1)).slice(0, 10)} 24:00 ` : `${text} `;
}
