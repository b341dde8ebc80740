import { labelled } from "@zhangfang/contract/labelled.ts";

export const rechargeWay = labelled({ 0: "收银", 1: "现金", 2: "转账" });
export const offlineWay = labelled({ 1: "现金", 2: "转账" });
export const rechargeStatus = labelled({
  0: ["待支付", "active"],
  1: ["已关闭", "ended"],
  2: ["已到账", "good"],
  3: ["待审核", "warn"],
  4: ["已驳回", "ended"],
  5: ["已退回", "warn"],
});
/** 退卡 by the three reasons of the law (法释〔2025〕4号). */
export const cardRefundReason = labelled({ 1: "七日无理由", 2: "商家原因", 3: "顾客原因" });
export const cardRefundStatus = labelled({
  0: ["待审核", "warn"],
  1: ["退款中", "active"],
  2: ["已退卡", "good"],
  3: ["退款失败", "bad"],
  4: ["已驳回", "ended"],
  5: ["已撤回", "ended"],
});
export const cardRefundWay = labelled({ 0: "原路退回", 1: "线下退" });
/** What a customer's own wish pays back: prices before discounts, or as for the merchant's reason. */
export const wishPays = labelled({ "less-used": "本金减已消费金额", "as-merchant": "同商家原因" });

export const adjustKind = labelled({ 1: "加赠送", 2: "减赠送", 3: "减本金" });
export const adjustReason = labelled({ 1: "补偿顾客", 2: "录入错误", 3: "系统差错", 4: "线下已退", 5: "其他" });
export const adjustStatus = labelled({ 0: ["待审核", "warn"], 1: ["已生效", "good"], 2: ["已驳回", "ended"] });

/** The reports of spec.md. */
const MOVES = { consumption: "门店消费", transfer: "余额转移", change: "储值变动", birthday: "生日赠送" } as const;
export const moveReport = labelled(MOVES);
export const consumptionView = labelled({ stores: "门店消费汇总", ...MOVES });
export const rechargeView = labelled({ recharges: "充值", refunds: "退卡", lots: "转来和导入" });
/** Where value came from that no recharge of ours brought. */
export const lotOrigin = labelled({ 1: "转来", 2: "导入" });
/** A transfer that the receiver has to take, within a day. */
export const transferStatus = labelled({
  0: ["待接收", "active"],
  1: ["已接收", "good"],
  2: ["已拒绝", "ended"],
  3: ["已撤回", "ended"],
  4: ["已过期退回", "ended"],
});
