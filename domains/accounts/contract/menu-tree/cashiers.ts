import type { Entry } from "./entry.ts";

/** 收银台 */
export const cashiers = {
  top: {
    title: "收银台",
    path: "cashier",
    icon: "cashier",
    screens: [
      ["cashier", "收银员", "/cashier/cashier", "MCH AE"],
      ["equipment-list", "设备台账", "/cashier/equipment", "A SP MCH"],
    ],
  },
  buttons: [
    ["/cashier/cashier/edit", "新建与修改", "MCH AE"],
    ["/cashier/cashier/import", "批量导入", "MCH AE"],
    ["/cashier/cashier/export", "导出", "MCH AE"],
    ["/cashier/cashier/payCode", "更换收款码", "MCH AE"],
    ["/cashier/equipment/export", "导出", "A SP MCH"],
    ["/cashier/equipment/intake", "入库", "A SP"],
    ["/cashier/equipment/move", "流转", "A SP MCH"],
  ],
  built: ["equipment-list", "cashier"],
} as const satisfies Entry;
