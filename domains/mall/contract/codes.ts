import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Where the goods are; the money's own state is that of the pay order. */
export const mallStatus = labelled({
  0: ["待付款", "active"],
  1: ["待发货", "warn"],
  2: ["已发货", "active"],
  3: ["已完成", "good"],
  4: ["已关闭", "ended"],
});
export type MallStatus = CodeOf<typeof mallStatus>;

/** Who carries the goods. */
export const carrier = labelled({
  SF: "顺丰速运",
  YTO: "圆通速递",
  ZTO: "中通快递",
  STO: "申通快递",
  YD: "韵达快递",
  JD: "京东物流",
  EMS: "邮政EMS",
  SELF: "商家自送",
});
