import type { Entry } from "./entry.ts";

/** 优惠券设置 */
export const coupons = {
  top: {
    title: "优惠券设置",
    path: "",
    icon: "coupon",
    screens: [
      ["ticket-list", "优惠券", "/ticket/list", "SP"],
      ["ticket-new", "新建优惠券", "/ticket/new", "SP", "page"],
      ["ticket-details", "优惠券详情", "/ticket/details", "SP", "page"],
      ["merchant-ticket-list", "商户优惠券", "/merchantTicket/list", "MCH"],
      ["merchant-ticket-new", "新建商户优惠券", "/merchantTicket/new", "MCH", "page"],
      ["merchant-ticket-details", "商户优惠券详情", "/merchantTicket/details", "MCH", "page"],
      ["batch-add-coupons-task", "批量发券任务", "/ticket/batchSend", "MCH SP"],
      ["ticket-group", "券包", "/ticket/group", "MCH"],
      ["ticket-group-get-record", "券包领取记录", "/ticket/groupRecord", "MCH"],
      ["discount-set", "优惠设置", "/ticket/discountSet", "MCH"],
      ["discount-record", "优惠记录", "/ticket/discountRecord", "MCH"],
      ["discount-rules", "优惠规则", "/ticket/discountRules", "MCH"],
    ],
  },
  buttons: [
    ["/merchantTicket/list/audit", "审核", "MCH"],
    ["/merchantTicket/list/steer", "暂停、恢复与停止", "MCH"],
    ["/merchantTicket/list/stock", "加库存", "MCH"],
    ["/merchantTicket/list/export", "导出", "MCH"],
    ["/ticket/batchSend/run", "新建和控制任务", "MCH"],
    ["/ticket/batchSend/revoke", "确认作废", "MCH"],
    ["/ticket/batchSend/export", "导出", "MCH SP"],
    ["/ticket/discountRules/edit", "新建与修改", "MCH"],
    ["/ticket/discountRecord/export", "导出", "MCH"],
  ],
  built: [
    "merchant-ticket-list",
    "merchant-ticket-new",
    "merchant-ticket-details",
    "batch-add-coupons-task",
    "discount-rules",
    "discount-record",
  ],
} as const satisfies Entry;
