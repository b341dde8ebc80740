import type { Entry } from "./entry.ts";

/** VIP会员卡 */
export const vipCards = {
  top: {
    title: "VIP会员卡",
    path: "vip-member",
    icon: "vip",
    screens: [
      ["vip-member-rules", "VIP规则", "/vip-member/rules", "MCH"],
      ["vip-times-card", "次卡", "/vip-member/timesCard", "MCH"],
      ["vip-rights", "会员权益", "/vip-member/rights", "MCH"],
      ["vip-orders", "VIP订单", "/vip-member/orders", "MCH AE"],
      ["times-card-orders", "次卡订单", "/vip-member/timesOrders", "MCH AE"],
      ["times-card-records", "次卡核销", "/vip-member/timesRecords", "MCH AE"],
      ["integral-reset", "积分清零", "/vip-member/integralReset", "MCH"],
    ],
  },
  buttons: [
    ["/vip-member/rules/edit", "修改规则", "MCH"],
    ["/vip-member/rights/edit", "修改权益", "MCH"],
    ["/vip-member/timesCard/edit", "新建与修改", "MCH"],
    ["/vip-member/timesCard/export", "导出", "MCH"],
    ["/vip-member/orders/sell", "开通VIP", "MCH AE"],
    ["/vip-member/orders/refund", "退款", "MCH AE"],
    ["/vip-member/orders/export", "导出", "MCH AE"],
    ["/vip-member/timesOrders/sell", "售次卡", "MCH AE"],
    ["/vip-member/timesOrders/refund", "退款", "MCH AE"],
    ["/vip-member/timesOrders/extend", "延期", "MCH AE"],
    ["/vip-member/timesOrders/export", "导出", "MCH AE"],
    ["/vip-member/timesRecords/use", "核销", "MCH AE"],
    ["/vip-member/timesRecords/reverse", "撤销核销", "MCH AE"],
    ["/vip-member/timesRecords/export", "导出", "MCH AE"],
    ["/vip-member/integralReset/run", "立即清零", "MCH"],
    ["/vip-member/integralReset/approve", "审核", "MCH"],
    ["/vip-member/integralReset/export", "导出", "MCH"],
  ],
  built: ["vip-member-rules", "vip-times-card", "vip-rights", "vip-orders", "times-card-orders", "times-card-records", "integral-reset"],
} as const satisfies Entry;
