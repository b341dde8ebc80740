import { screen } from "@zhangfang/web/screen.ts";

/** The two homes: of those who take payments, and of those who look after them; and what looks wrong. */
export const screens = {
  overview: screen(() => import("./overview/Overview.tsx"), "Overview"),
  dashboard: screen(() => import("./dashboard/Dashboard.tsx"), "Dashboard"),
  "pay-order-statistics": screen(() => import("./reports/PayStatistics.tsx"), "PayStatistics"),
  "sales-situation": screen(() => import("./reports/SalesSituation.tsx"), "SalesSituation"),
  "merchants-profit": screen(() => import("./profit/MerchantsProfit.tsx"), "MerchantsProfit"),
  "abnormal-store": screen(() => import("./abnormal/AbnormalStores.tsx"), "AbnormalStores"),
};
