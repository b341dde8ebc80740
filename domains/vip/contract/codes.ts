import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** What a level asks for. Growth is 1 for each yuan of base (cash and principal); both count the last 12 months. */
export const levelBasis = labelled({ growth: "成长值", spent: "消费额", paid: "付费" });
export type LevelBasis = CodeOf<typeof levelBasis>;
/** What a level is worth. */
export const rightKind = labelled({
  discount: "会员折扣",
  multiple: "积分倍数",
  "birthday-points": "生日送积分",
  "birthday-gift": "生日送储值",
  "birthday-coupons": "生日送优惠券",
  "monthly-coupons": "每月送优惠券",
});
export type RightKind = CodeOf<typeof rightKind>;
/** Why a member's level changed. */
export const levelCause = labelled({
  order: "消费升级",
  refund: "退款撤销升级",
  kept: "保级期满",
  rules: "规则调整",
  term: "付费期变化",
  merge: "会员合并",
  import: "导入",
});
export type LevelCause = CodeOf<typeof levelCause>;

/** Terms that a member may want to buy anew. */
export const termEnding = labelled({ soon: "7 天内到期" });
export const termStatus = labelled({
  0: ["待支付", "active"],
  1: ["有效", "good"],
  2: ["已关闭", "ended"],
  3: ["退款中", "warn"],
  4: ["已退款", "bad"],
  5: ["已到期", "ended"],
});
export const timesCardStatus = labelled({
  0: ["待支付", "active"],
  1: ["使用中", "good"],
  2: ["已用完", "ended"],
  3: ["已过期", "warn"],
  4: ["退款中", "warn"],
  5: ["已退款", "bad"],
  6: ["已关闭", "ended"],
});
/** By which rule a times card goes back: 法释〔2025〕4号 Art. 14, 18, 19. */
export const timesReason = labelled({ 1: "七日无理由", 2: "商家原因", 3: "顾客原因" });
export type TimesReason = CodeOf<typeof timesReason>;
export const productState = labelled({ active: ["在售", "good"], disabled: ["停售", "ended"] });
export const timesUseState = labelled({ used: ["已核销", "good"], reversed: ["已撤销", "ended"] });
