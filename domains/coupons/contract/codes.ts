import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** What a coupon is, as existing clients name it (spec.md, Coupons). */
export const couponType = labelled({ NORMAL: "满减券", DISCOUNT: "折扣券", EXCHANGE: "换购券" });
export type CouponType = CodeOf<typeof couponType>;
export const couponKind = labelled({ 1: "全场满减", 2: "全场折扣", 3: "单品满减", 4: "单品折扣", 5: "换购" });
export type CouponKind = CodeOf<typeof couponKind>;
/** @example typeOfKind(4) // "DISCOUNT" */
export const typeOfKind = (kind: CouponKind): CouponType => (kind === 5 ? "EXCHANGE" : kind === 2 || kind === 4 ? "DISCOUNT" : "NORMAL");
/** Kinds that look at goods, and so need the lines of an order. */
export const needsGoods = (kind: CouponKind): boolean => kind >= 3;

/** CASH is paid in beforehand and is always a 代金券 of WeChat's; of NO_CASH the merchant gets less. */
export const couponFunding = labelled({ CASH: "充值优惠券", NO_CASH: "免充值优惠券" });
export const couponFunder = labelled({ 1: "服务商", 2: "商户" });
/** What a merchant says to a provider's campaign that covers it. One whose part the merchant would bear is asked first. */
export const coverState = labelled({
  ASKED: ["待接受", "warn"],
  ACCEPTED: ["已参加", "good"],
  LEFT: ["不参加", "ended"],
});
export type CoverState = CodeOf<typeof coverState>;
/** `STOPED` is the wire's own spelling. */
export const campaignState = labelled({
  UNAUDIT: ["待审核", "warn"],
  RUNNING: ["发放中", "good"],
  PAUSED: ["已暂停", "warn"],
  STOPED: ["已停止", "ended"],
});
export type CampaignState = CodeOf<typeof campaignState>;
/** Of one that runs: better terms that another person has to agree to. */
export const campaignChange = labelled({ open: "有改动等审核" });
/** `LOCKED` is ours: an existing client is told `SENDED`. */
export const couponState = labelled({
  SENDED: ["可用", "active"],
  LOCKED: ["使用中", "warn"],
  USED: ["已核销", "good"],
  EXPIRED: ["已过期", "ended"],
  DELETED: ["已删除", "ended"],
  DEACTIVATED: ["已作废", "bad"],
});
export type CouponState = CodeOf<typeof couponState>;
export const validityMode = labelled({ 2: "固定时间段", 3: "领取后计算" });
export const validityUnit = labelled({ day: "天", month: "个月", year: "年" });
export type ValidityUnit = CodeOf<typeof validityUnit>;
/** 0 at once, 1 from the next day on. */
export const effective = labelled({ 0: "领取后立即生效", 1: "次日生效" });
export const redemption = labelled({
  OFF_LINE: "线下扫码",
  MINI_PROGRAMS: "线上小程序",
  PAYMENT_CODE: "微信付款码",
  SELF_CONSUME: "用户自助核销",
});
export type Redemption = CodeOf<typeof redemption>;
/** By what a coupon came. */
export const couponSource = labelled({
  claim: "顾客领取",
  send: "商户发放",
  package: "券包",
  activity: "活动",
  gift: "赠送",
  lottery: "摇一摇",
});
export type CouponSource = CodeOf<typeof couponSource>;
/** 券包, by whether it costs anything. */
export const packageKind = labelled({ free: "免费", paid: "付费" });
/** One package that somebody received or buys. `退回`: paid when nothing was left to give. */
export const packageGetStatus = labelled({
  0: ["待支付", "warn"],
  1: ["已发放", "good"],
  2: ["已关闭", "ended"],
  3: ["退款中", "warn"],
  4: ["已退款", "bad"],
  5: ["未发退回", "bad"],
});
export type PackageGetStatus = CodeOf<typeof packageGetStatus>;
/** Why a coupon changed. */
export const couponCause = labelled({
  claim: "领取",
  send: "商户发放",
  package: "券包发放",
  activity: "活动发放",
  gift: "赠送",
  lottery: "摇一摇",
  order: "下单使用",
  paid: "支付核销",
  self: "自助核销",
  closed: "订单关闭退回",
  refund: "整单退款退回",
  ended: "到期",
  revoked: "批量作废",
  unpacked: "券包退款",
  deleted: "顾客删除",
});
export type CouponCause = CodeOf<typeof couponCause>;
/** What a merchant's root may run alone, in cents: the most that all of a campaign's coupons may cost (marketing.md 1, 25). */
export const ALONE_CENTS = 100_000;
/** 0 Sunday, as in WeChat's coupons. */
export const WEEKDAYS = ["周日", "周一", "周二", "周三", "周四", "周五", "周六"] as const;

/** Where a campaign stands besides here (marketing.md 4). Our own decide in any case. */
export const couponCarrier = labelled({ NONE: "不发到微信", busifavor: "微信商家券", favor: "微信代金券" });
export type CouponCarrier = CodeOf<typeof couponCarrier>;
/** A campaign's batch at WeChat. `none`: it was not made yet. */
export const mirrorState = labelled({
  none: ["未建批次", "warn"],
  waiting: ["未激活", "warn"],
  running: ["已同步", "good"],
  paused: ["已暂停", "ended"],
  stopped: ["已停止", "ended"],
});
export type MirrorState = CodeOf<typeof mirrorState>;
/** What differs between us and WeChat: a call that was refused or has no answer, or what a comparison found. */
export const differenceKind = labelled({
  create: "建批次",
  budget: "改数量",
  start: "激活批次",
  pause: "暂停批次",
  restart: "恢复批次",
  codes: "上传券码",
  use: "核销",
  return: "退券",
  deactivate: "作废",
  total: "批次数量",
  "code-count": "券码数量",
  sent: "微信发券",
  "stock-state": "批次状态",
  coupon: "券状态",
});
export type DifferenceKind = CodeOf<typeof differenceKind>;
/** Whether telling WeChat once more may help: what it gave out, and codes that it has, nobody takes back by that. */
export const mayRetry = (kind: DifferenceKind): boolean => kind !== "sent" && kind !== "code-count";
