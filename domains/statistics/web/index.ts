import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { paidHowWords } from "../../orders/web/index.ts";
import { against, dimension, profitBy } from "../contract/index.ts";

/** The two homes: of those who take payments, and of those who look after them; and what looks wrong. */
export const screens = {
  overview: screen(() => import("./overview/Overview.tsx"), "Overview"),
  dashboard: screen(() => import("./dashboard/Dashboard.tsx"), "Dashboard"),
  "pay-order-statistics": screen(() => import("./reports/PayStatistics.tsx"), "PayStatistics"),
  "sales-situation": screen(() => import("./reports/SalesSituation.tsx"), "SalesSituation"),
  "merchants-profit": screen(() => import("./profit/MerchantsProfit.tsx"), "MerchantsProfit"),
  "abnormal-store": screen(() => import("./abnormal/AbnormalStores.tsx"), "AbnormalStores"),
};

const filters = {
  by: ["统计维度", dimension],
  splitBy: ["再按", dimension],
  against: ["对比", against],
  ...paidHowWords,
  cashierId: ["收银员"],
  deviceId: ["设备"],
  product: ["商品"],
} as const;
registerExportedList("pay-statistics", { path: "/dataCentre/payStatistics", filters });
registerExportedList("sales", { path: "/dataCentre/sales", filters });
registerExportedList("merchants-profit", { path: "/dataCentre/merchantsProfit", filters: { by: ["统计维度", profitBy] } });
