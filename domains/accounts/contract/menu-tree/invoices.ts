import type { Entry } from "./entry.ts";

/** 电子发票 */
export const invoices = {
  top: {
    title: "电子发票",
    path: "invoice",
    icon: "invoice",
    screens: [
      ["invoice-config", "开票配置", "/invoice/config", "SP"],
      ["invoice-config-merchant", "商户开票配置", "/invoice/merchant", "MCH"],
    ],
  },
  buttons: [
    ["/invoice/config/edit", "修改", "SP"],
    ["/invoice/merchant/edit", "修改配置", "MCH"],
    ["/invoice/merchant/approve", "审核申请", "MCH"],
    ["/invoice/merchant/reveal", "查看购方信息", "MCH"],
    ["/invoice/merchant/issue", "重试与取消", "MCH"],
    ["/invoice/merchant/red", "红冲", "MCH"],
    ["/invoice/merchant/export", "导出", "MCH"],
  ],
  built: ["invoice-config", "invoice-config-merchant"],
} as const satisfies Entry;
