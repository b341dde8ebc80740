import { screen } from "@zhangfang/web/screen.ts";

/** 摇一摇: the lotteries of a merchant, and what became of one. */
export const screens = {
  "shake-activity": screen(() => import("./LotteryList.tsx"), "LotteryList"),
  "shake-activity-details": screen(() => import("./LotteryDetails.tsx"), "LotteryDetails"),
};
