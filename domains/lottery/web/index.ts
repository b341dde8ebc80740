import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { drawnWhat, lotteryState, winStatus } from "../contract/index.ts";

/** 摇一摇: the lotteries of a merchant, and what became of one. */
export const screens = {
  "shake-activity": screen(() => import("./LotteryList.tsx"), "LotteryList"),
  "shake-activity-details": screen(() => import("./LotteryDetails.tsx"), "LotteryDetails"),
};

registerExportedList("lotteries", { path: "/activity/shake", filters: { state: ["状态", lotteryState] } });
registerExportedList("lottery-draws", {
  path: "/activity/shake",
  filters: { lotteryId: ["活动"], what: ["结果", drawnWhat], status: ["兑奖", winStatus] },
});
