import type { Entry } from "./entry.ts";

/** 商城对账 */
export const reconciliation = {
  top: {
    title: "商城对账",
    path: "reconciliation",
    icon: "reconciliation",
    screens: [
      ["mall-pay-order", "商城支付订单", "/reconciliation/pay", "A SP MCH"],
      ["mall-refund-order", "商城退款订单", "/reconciliation/refund", "A SP MCH"],
      ["bill-reconciliation", "对账", "/reconciliation/bill", "A SP MCH AE"],
    ],
  },
  buttons: [
    ["/reconciliation/pay/ship", "发货", "SP MCH"],
    ["/reconciliation/pay/refund", "退款", "SP MCH"],
    ["/reconciliation/pay/receiver", "查看收货信息", "SP MCH"],
    ["/reconciliation/pay/export", "导出", "A SP MCH"],
    ["/reconciliation/refund/export", "导出", "A SP MCH"],
    ["/reconciliation/bill/import", "获取与上传账单", "SP MCH"],
    ["/reconciliation/bill/resolve", "处理差异", "SP MCH"],
    ["/reconciliation/bill/close", "关账", "SP MCH AE"],
    ["/reconciliation/bill/reopen", "撤销关账", "SP MCH"],
    ["/reconciliation/bill/settings", "对账设置", "SP MCH"],
    ["/reconciliation/bill/export", "导出差异", "A SP MCH"],
  ],
  built: ["mall-pay-order", "mall-refund-order", "bill-reconciliation"],
} as const satisfies Entry;
