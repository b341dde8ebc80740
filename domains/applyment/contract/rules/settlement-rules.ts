import type { SubjectType } from "../codes.ts";

/** What a settlement_id means. It is text: WeChat Pay's documents write it with quotes. */
export interface SettlementRule {
  readonly id: string;
  readonly subjects: readonly SubjectType[];
  readonly trade: string;
  /** What has to be uploaded; null: nothing. */
  readonly licence: { readonly name: string; readonly needed: boolean } | null;
  readonly source: string;
}
const INDIVIDUAL: readonly SubjectType[] = ["SUBJECT_TYPE_INDIVIDUAL"];
const individual = (trade: string, licence: SettlementRule["licence"] = null): SettlementRule => ({
  id: "719",
  subjects: INDIVIDUAL,
  trade,
  licence,
  source: "第三方资料 2026-11",
});
const where = (name: string) => ({ name, needed: false });

/**
 * The part of WeChat Pay's table (kf.qq.com/faq/220228IJb2UV220228uEjU3Q.html) that is known here, none of it checked there. A reference,
 * not a law: what is not in it is a reminder. Licences that are not `needed` are those of a part of the trade.
 */
export const SETTLEMENT_RULES: readonly SettlementRule[] = [
  { id: "703", subjects: ["SUBJECT_TYPE_MICRO"], trade: "小微商户", licence: null, source: "第三方资料 2026-11" },
  individual("餐饮"),
  individual("电商平台"),
  individual("零售", where("卖烟草的要《烟草专卖零售许可证》")),
  individual("食品生鲜"),
  individual("咨询/娱乐票务"),
  individual("房产中介"),
  individual("宠物医院", { name: "《动物诊疗许可证》", needed: true }),
  individual("共享服务", where("收押金的要《资金监管协议》")),
  individual("休闲娱乐/旅游"),
  { id: "716", subjects: ["SUBJECT_TYPE_ENTERPRISE"], trade: "餐饮", licence: null, source: "第三方资料 2026-11" },
];
/** Settlement rules that the 0.2 % activity takes [third party]. */
export const ACTIVITY_RULES: readonly string[] = ["703", "716", "719", "725", "727", "799", "903", "904"];
