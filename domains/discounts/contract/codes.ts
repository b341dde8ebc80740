import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** What comes off by itself at the till. */
export const discountKind = labelled({ 1: "首单立减", 2: "每满减", 3: "会员日", 4: "随机立减" });
export type DiscountKind = CodeOf<typeof discountKind>;
export const ruleState = labelled({ active: ["启用", "good"], paused: ["停用", "ended"] });
export const takenState = labelled({
  HELD: ["待支付", "active"],
  TAKEN: ["已优惠", "good"],
  RELEASED: ["已关闭", "ended"],
  RETURNED: ["已退回", "bad"],
  BORNE: ["商户承担", "warn"],
});
