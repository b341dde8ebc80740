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
  buttons: [],
  built: [],
} as const satisfies Entry;
