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
  gift: "赠送",
  "stored-hold": "下单占用余额",
  "stored-take": "余额消费",
  "stored-release": "释放占用余额",
  "stored-back": "退款退回余额",
  "card-refund-hold": "退卡占用",
  "card-refund-release": "释放退卡占用",
  "card-refund": "退卡",
  "transfer-hold": "转出占用",
  "transfer-release": "转出退回",
  "stored-transfer": "余额转移",
  "stored-adjust": "改余额",
  birthday: "生日赠送",
  "points-earned": "获得积分",
  "points-opening": "期初积分",
  "points-given": "赠送积分",
  "points-hold": "下单占用积分",
  "points-take": "积分抵扣",
  "points-release": "释放占用积分",
  "points-back": "退款退回积分",
  "points-claw": "退款扣回积分",
  "points-ripe": "积分入账",
  "points-clear": "积分到期清零",
  "times-sold": "购买次卡",
  "times-use": "次卡核销",
  "times-reverse": "撤销核销",
  "times-refund": "次卡退款",
  "points-adjust": "积分调整",
  "points-task": "批量发放积分",
  merge: "会员合并",
  "gift-closed": "注销作废赠送",
  "closed-back": "注销后线下退还本金",
  "points-closed": "注销作废积分",
});
export type ValueCause = CodeOf<typeof valueCause>;
