import { labelled } from "@zhangfang/contract/labelled.ts";

/** What can be told (platforms.md 7), as it stands on the wire. */
export const pushEvent = labelled({
  "order.paid": "订单已支付",
  "order.closed": "订单已关闭",
  "order.refunded": "订单已全额退款",
  "refund.succeeded": "退款成功",
  "refund.failed": "退款失败",
  "mall_order.shipped": "商城订单已发货",
  "share.done": "分账完成",
  "share.failed": "分账失败",
  "withdrawal.paid": "提现到账",
  "withdrawal.failed": "提现失败",
  "voucher.verified": "团购券已核销",
  "voucher.reversed": "团购券已撤销",
  "takeaway.completed": "外卖订单已完成",
  "invoice.issued": "发票已开具",
  "invoice.reversed": "发票已红冲",
  "invoice.failed": "开票失败",
  "merchant.changed": "商户资料变更",
  "store.changed": "门店资料变更",
  "product.changed": "商品变更",
  "device.offline": "设备离线",
  "fan.subscribed": "粉丝关注",
  "recon_day.closed": "对账日已关账",
  "applyment.changed": "进件状态变化",
  "push.test": "测试事件",
});
/** What an endpoint may listen to: a test comes only where somebody asks for it. */
export const listenable = pushEvent.values.filter((type) => type !== "push.test");
export const endpointState = labelled({
  active: ["推送中", "good"],
  paused: ["已暂停", "warn"],
  disabled: ["已停用", "bad"],
});
export const offWhy = labelled({ failing: "连续 5 天全部失败", gone: "对方回答 410，表示不再接收" });
export const deliveryState = labelled({
  waiting: ["等发送", "active"],
  retrying: ["等重试", "warn"],
  succeeded: ["成功", "good"],
  abandoned: ["已放弃", "bad"],
});
/** Why there was no answer. */
export const pushFault = labelled({
  timeout: "超时 15 秒",
  dns: "域名解析失败",
  refused: "连接失败",
  tls: "证书或加密失败",
  closed: "地址不是公网，没有连接",
});
export const attemptOutcome = labelled({ ok: ["成功", "good"], failed: ["失败", "bad"], lost: ["没记下结果", "warn"] });

/** Tries of one round. */
export const PUSH_TRIES = 10;
/** Bodies are kept so long, and can be sent again so long. */
export const BODIES_KEPT_DAYS = 30;
export const ATTEMPTS_KEPT_DAYS = 90;
/** All failed for so long: switched off. */
export const FAILING_DAYS = 5;
/** The old secret signs too for so long. */
export const ROTATION_HOURS = 24;
/** At most so many of a span are sent again at once. */
export const REPLAY_MOST = 10_000;
