import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** For what event an activity gives. */
export const activityKind = labelled({
  new: "新人有礼",
  birthday: "生日有礼",
  scan: "扫码有礼",
  recommend: "推荐有礼",
  fans: "粉丝券",
  paid: "支付有礼",
});
export type ActivityKind = CodeOf<typeof activityKind>;
/** `STOPED` is the wire's own spelling, as of campaigns. */
export const activityState = labelled({
  UNAUDIT: ["待审核", "warn"],
  RUNNING: ["进行中", "good"],
  PAUSED: ["已暂停", "warn"],
  STOPED: ["已结束", "ended"],
});
export type ActivityState = CodeOf<typeof activityState>;
export const grantStatus = labelled({
  owed: ["待发", "active"],
  review: ["待放行", "warn"],
  given: ["已发", "good"],
  failed: ["没发成", "bad"],
  refused: ["未给", "ended"],
});
export type GrantStatus = CodeOf<typeof grantStatus>;
/** Why somebody whom an event was about gets nothing. */
export const refusedWhy = labelled({
  gone: "名额已满",
  phone: "同一手机号领过",
  openid: "同一微信或支付宝领过",
  payer: "同一付款账号领过",
  device: "同一手机领过",
  shop: "商户拒绝",
  refund: "订单退了款",
});
export type RefusedWhy = CodeOf<typeof refusedWhy>;
export const giftStatus = labelled({
  0: ["待发", "active"],
  1: ["已发", "good"],
  2: ["没发成", "bad"],
  3: ["不发了", "ended"],
  4: ["已收回", "ended"],
});
/** 扫码有礼: how often somebody may get it. */
export const scanOnce = labelled({ life: "每人一次", day: "每人每天一次" });
/** More of one net in an hour wait for the merchant's yes (marketing.md 10). */
export const NET_HOUR = 20;
/** Sales of whoever was granted something count so long. */
export const SALES_DAYS = 30;
