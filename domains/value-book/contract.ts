import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** How a spending is cut into principal and gift. A recharge keeps the way that it was sold with. */
export const drawMode = labelled({
  ratio: "按比例",
  "principal-first": "先用本金",
  "gift-first": "先用赠送",
});
export type DrawMode = CodeOf<typeof drawMode>;

/** What moved a member's stored value or points. */
export const valueCause = labelled({
  recharge: "充值",
  opening: "期初余额",
  "stored-hold": "下单占用余额",
  "stored-take": "余额消费",
  "stored-release": "释放占用余额",
  "stored-back": "退款退回余额",
  "points-earned": "获得积分",
  "points-opening": "期初积分",
  "points-hold": "下单占用积分",
  "points-take": "积分抵扣",
  "points-release": "释放占用积分",
  "points-back": "退款退回积分",
  "points-claw": "退款扣回积分",
  "points-ripe": "积分入账",
  "points-clear": "积分到期清零",
});
export type ValueCause = CodeOf<typeof valueCause>;
