import { yuan } from "@zhangfang/contract/money.ts";
import { MOST_VALUE_CENTS, prizeKind, WHOLE } from "./codes.ts";
import type { LotteryTerms, Prize } from "./terms.ts";

/** What coupons are worth, by campaign. @example { "…": "满 80 减 20" } */
export type CouponNames = Readonly<Record<string, string>>;
const counted = (n: number): string => n.toLocaleString("en-US");
const plain = (cents: number): string => yuan(cents).replace(/\.00$/, "");
/** A chance as a share. @example sayChance(1_500) // "0.15 %" */
export const sayChance = (chance: number): string => `${(chance * 100) / WHOLE} %`;

/** What one prize is. @example "满 80 减 20 的券", "100 积分", "5 元赠送余额", "酸梅汤一壶" */
export function prizeWords({ kind, name, campaignId, amount }: Prize, pointsDays: number | null, names: CouponNames = {}): string {
  if (kind === "coupon") return `${names[campaignId ?? ""] ?? "优惠"} 的券`;
  if (kind === "points") return `${counted(amount)} 积分${pointsDays === null ? "" : `（${pointsDays} 天内用）`}`;
  return kind === "balance" ? `${plain(amount)} 元赠送余额` : name;
}
/** Where each prize's range begins and ends, the end left out; what is left is 谢谢参与. */
export function rangesOf(prizes: readonly Pick<Prize, "chance">[]): readonly (readonly [number, number])[] {
  let at = 0;
  return prizes.map(({ chance }) => [at, (at += chance)] as const);
}
/** What is left for 谢谢参与; below 0 where the chances are too many. */
export const restOf = (prizes: readonly Pick<Prize, "chance">[]): number => WHOLE - prizes.reduce((sum, { chance }) => sum + chance, 0);

interface Said {
  readonly firstDay: string;
  readonly lastDay: string;
  /** Whose lottery it is. */
  readonly host: string;
  readonly words: readonly string[];
  /** Of one piece, by the market's price. */
  readonly values: readonly number[];
  /** The last day on which goods are handed over. */
  readonly redeemDay: string;
}
/** The rules as the form, the audit, the customer's phone and 公示 say them. */
export function sayLottery(terms: LotteryTerms, { firstDay, lastDay, host, words, values, redeemDay }: Said): string[] {
  const rest = restOf(terms.prizes);
  const each = terms.prizes.map(({ kind, name, chance, stock }, at) => {
    const what = kind === "goods" ? name : `${name}（${words[at]}）`;
    return `${what}，价值 ${yuan(values[at] ?? 0)} 元，机会 ${sayChance(chance)}，共 ${counted(stock)} 份`;
  });
  const goods = terms.prizes.some(({ kind }) => kind === "goods");
  const own = (["coupon", "points", "balance"] as const).filter((kind) => terms.prizes.some((one) => one.kind === kind));
  const where = terms.storeIds.length > 0 ? `指定的 ${terms.storeIds.length} 家门店` : "任一门店";
  return [
    `${firstDay} 至 ${lastDay}，会员在会员页摇一摇，每人每天最多 ${terms.perDay} 次，一共最多 ${terms.perPerson} 次。`,
    `奖品：${each.join("；")}${rest > 0 ? `；其余 ${sayChance(rest)} 是谢谢参与` : ""}。某样发完后，摇中它的算谢谢参与。`,
    "当场开奖，中不中由公布的种子和机会表算出来，过后谁都能在公示页重算；不按时间、地区放奖。",
    `兑奖：${own.length > 0 ? `${own.map((kind) => prizeKind.label(kind)).join("、")}自动到账，在会员页能看到${goods ? "；" : ""}` : ""}${goods ? `实物凭兑奖码到${where}领，最晚 ${redeemDay}` : ""}。${terms.prizes.some(({ kind }) => kind === "balance") ? "赠送余额只抵消费，不可退、不折现。" : ""}`,
    `主办：${host}，联系电话 ${terms.contact}。主办方员工不参加。`,
    ...(terms.note === "" ? [] : [terms.note]),
  ];
}

/** One thing that the law asks (规范促销行为暂行规定), and the field that it hangs on. */
export interface LawTick {
  readonly ok: boolean;
  readonly text: string;
  readonly field: string;
}
/** The law's limits as ticks; the server lets nothing through that is not ticked. */
export function lawOf(terms: LotteryTerms, values: readonly number[]): readonly LawTick[] {
  const top = Math.max(0, ...values);
  return [
    { ok: terms.prizes.length > 0, text: "每样奖品的价值、数量和机会都公布", field: "terms.prizes" },
    {
      ok: top <= MOST_VALUE_CENTS,
      text: `最高奖 ${yuan(top)} 元，${top <= MOST_VALUE_CENTS ? "不超过" : "超过了"} 50,000.00 元`,
      field: "terms.prizes",
    },
    { ok: terms.redeemDays > 0, text: "兑奖方式和期限写明", field: "terms.redeemDays" },
    { ok: terms.contact !== "", text: terms.contact === "" ? "主办方联系电话没填" : "主办方和联系电话写明", field: "terms.contact" },
    { ok: terms.staffListed, text: terms.staffListed ? "员工不能摇，名单已确认" : "员工名单还没确认", field: "terms.staffListed" },
    { ok: true, text: "不按时间、地区放奖：没有这种设置", field: "" },
    { ok: true, text: "500 元以上的奖摇中就公示", field: "" },
    { ok: true, text: "记录保存两年以上", field: "" },
  ];
}
