import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Who gets a part of a fee. */
export const receiver = labelled({ agent: "代理商", group: "业务集团", team: "业务团队", salesman: "业务员" });
export type Receiver = CodeOf<typeof receiver>;
/** Every part that a fee falls into: the receivers', what the platform and the channel cost, and what the provider keeps. */
export const feePart = labelled({
  cost: "通道成本",
  agent: "代理商",
  group: "业务集团",
  team: "业务团队",
  salesman: "业务员",
  provider: "服务商留存",
});
export type FeePart = CodeOf<typeof feePart>;
/** What a line comes from. */
export const lineFact = labelled({ payment: "收款", refund: "退款扣回" });
export const profitBy = labelled({ day: "按日", month: "按月" });

export const withdrawalStatus = labelled({
  0: ["待审核", "warn"],
  1: ["已驳回", "ended"],
  2: ["打款中", "active"],
  3: ["已到账", "good"],
  4: ["打款失败", "bad"],
  5: ["已取消", "ended"],
  6: ["已退回", "bad"],
});
export type WithdrawalStatus = CodeOf<typeof withdrawalStatus>;
export const payoutMethod = labelled({ wechat: "微信零钱", bank: "银行卡" });
export type PayoutMethod = CodeOf<typeof payoutMethod>;
