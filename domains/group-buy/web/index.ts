import { screen } from "@zhangfang/web/screen.ts";

/** 团购券汇总, and the entries behind its figures. */
export const screens = { "group-buy-coupon-summary": screen(() => import("./GroupBuySummary.tsx"), "GroupBuySummary") };
