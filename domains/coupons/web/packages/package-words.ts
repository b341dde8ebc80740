import { counted, endOf, minute, plainYuan } from "../campaigns/campaign-words.ts";

export interface Said {
  readonly priceCents?: number | null | undefined;
  readonly items: readonly { readonly name: string; readonly worth: string; readonly count: number | undefined }[];
  readonly total?: number | undefined;
  readonly perPerson?: number | undefined;
  readonly perPersonDay?: number | null | undefined;
  readonly perDay?: number | null | undefined;
  readonly beginsAt?: string | undefined;
  readonly endsAt?: string | undefined;
}
const known = (n: number | null | undefined): n is number => n !== null && n !== undefined && !Number.isNaN(n);
/**
 * A package as one sentence; what is missing is left out.
 * @example "20 元买一份，里面有 满 80 减 20 两张…；2026-12-01 00:00 至 2026-12-31 24:00 可买，每人最多 1 份，共 1,000 份。"
 */
export function sayPackage({ priceCents, items, total, perPerson, perPersonDay, perDay, beginsAt, endsAt }: Said): string {
  const free = priceCents === null;
  const way = free ? "免费领一份" : known(priceCents) ? `${plainYuan(priceCents)} 元买一份` : "… 元买一份";
  const inside = items.map(({ name, worth, count }) => `「${name}」（${worth}）${known(count) ? counted(count) : "…"} 张`).join("、");
  const limits = [
    beginsAt && endsAt ? `${minute(beginsAt)} 至 ${endOf(endsAt)}可${free ? "领" : "买"}` : "",
    known(perPerson) ? `每人最多 ${counted(perPerson)} 份` : "",
    known(perPersonDay) ? `每人每天 ${counted(perPersonDay)} 份` : "",
    known(perDay) ? `每天共 ${counted(perDay)} 份` : "",
    known(total) ? `共 ${counted(total)} 份` : "",
  ].filter((part) => part !== "");
  const first = `${way}，里面有${inside === "" ? " … " : inside}，一次全给`;
  const back = free ? "" : "没用的券可以退，按每张最多能减多少分摊售价。";
  return `${[first, limits.join("，")].filter((part) => part !== "").join("；")}。${back}`;
}
/** @example shareWords(3, 12) // "25.0%" */
export const shareWords = (part: number, all: number): string | null => (all > 0 ? `${((part / all) * 100).toFixed(1)}%` : null);
