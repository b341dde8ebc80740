import { screen } from "@zhangfang/web/screen.ts";

/** 外卖汇总, and the orders behind its figures. */
export const screens = { "takeaway-order-summary": screen(() => import("./TakeawaySummary.tsx"), "TakeawaySummary") };
