import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Spec: 2 completed, 3 refunded; a partial refund stays 2 and shows its refunded amount (domain.md). */
export const orderStatus = labelled({
  0: ["待支付", "active"],
  1: ["已关闭", "ended"],
  2: ["已完成", "good"],
  3: ["已退款", "warn"],
});
export type OrderStatus = CodeOf<typeof orderStatus>;

/** Spec: 1 refunding, 2 refunded, 3 failed; 0 and 4 stand before them, above the merchant's limit. */
export const refundStatus = labelled({
  0: ["待审批", "warn"],
  1: ["退款中", "active"],
  2: ["已退款", "good"],
  3: ["退款失败", "bad"],
  4: ["已驳回", "ended"],
  5: ["已撤回", "ended"],
});
export type RefundStatus = CodeOf<typeof refundStatus>;

export const refundType = labelled({ 1: "全额退款", 2: "部分退款" });
export type RefundType = CodeOf<typeof refundType>;

export const orderType = labelled({ 0: "支付", 1: "团购", 2: "外卖" });
export type OrderType = CodeOf<typeof orderType>;

/** What an order is for: goods, or something that is used later and goes back by its own room's rules. */
export const orderPurpose = labelled({ 0: "消费", 1: "充值", 2: "VIP", 3: "次卡", 4: "券包", cards: "售卡（VIP、次卡、券包）" });

/** How the channel is asked: a code to show, a page that pays, a code that the till read. */
const ASKED = { NATIVE: "扫码支付", JSAPI: "公众号/小程序支付", MICROPAY: "付款码支付" } as const;
export const askedTradeType = labelled(ASKED);
/** The same, and what nobody was asked for: stored value and offers cover all of it. */
export const tradeType = labelled({ ...ASKED, MEMBER: "会员账户" });

/** What an order may be without: it was rung up by nobody, on no device, or belonged to nobody when it was made. In a filter several, with commas. */
export const lacking = labelled({ cashier: "无收银员", device: "无设备", agent: "无代理商", team: "无业务团队" });
export type Lacking = CodeOf<typeof lacking>;

const hours = Object.fromEntries(Array.from({ length: 24 }, (_none, hour) => [hour, `${hour}:00–${hour}:59`]));
/** The hours of a day and the days of a week, in Shanghai; 1 is Monday. */
export const hourOfDay = labelled(hours as Readonly<Record<number, string>>);
export const dayOfWeek = labelled({ 1: "周一", 2: "周二", 3: "周三", 4: "周四", 5: "周五", 6: "周六", 7: "周日" });

/** Which moment of an order a date range means. Statistics go by the moment of payment. */
export const dateOf = labelled({ created: "下单时间", paid: "支付时间" });

/** Which moment of a refund a date range means. Statistics go by the moment at which it arrived. */
export const refundDateOf = labelled({ created: "申请时间", finished: "完成时间" });

/** Of the refunds that failed: those that a person can still do something about. */
export const failedRefunds = labelled({ open: "还要处理" });
/** Where a refund request stands with its approver. */
export const requestState = labelled({
  pending: ["待审批", "warn"],
  approved: ["已通过", "good"],
  rejected: ["已驳回", "ended"],
  cancelled: ["已撤回", "ended"],
});

/** What happened to an order; the timeline of its details. */
export const orderEventKind = labelled({
  created: ["创建订单", "active"],
  paid: ["支付成功", "good"],
  failed: ["支付失败", "bad"],
  closed: ["订单关闭", "ended"],
  "refund-asked": ["申请退款", "active"],
  "refund-approved": ["退款通过", "active"],
  "refund-rejected": ["退款驳回", "ended"],
  "refund-cancelled": ["撤回退款申请", "ended"],
  "voucher-back": ["撤销平台券", "active"],
  "voucher-gone": ["平台券被撤销", "bad"],
  "refund-accepted": ["通道受理", "active"],
  "refund-retried": ["重新退款", "active"],
  "refund-redirected": ["异常退款处理", "active"],
  refunded: ["退款成功", "good"],
  "refund-failed": ["退款失败", "bad"],
  mismatch: ["核对不符", "bad"],
});

/** What was asked of the channel. */
export const channelOperation = labelled({
  pay: "下单",
  query: "查询支付",
  close: "关闭订单",
  reverse: "撤销订单",
  refund: "申请退款",
  "query-refund": "查询退款",
  "redirect-refund": "异常退款",
});

/** `unknown` is decided by a later query, never guessed. */
export const channelOutcome = labelled({
  ok: ["成功", "good"],
  refused: ["被拒绝", "bad"],
  unknown: ["结果未知", "warn"],
});
