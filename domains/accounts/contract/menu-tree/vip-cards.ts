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
  buttons: [],
  built: [],
} as const satisfies Entry;
