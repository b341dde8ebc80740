// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { drawnWhat, lotteryState, winStatus } from "../contract/index.ts";

registerExportedList("lotteries", { path: "/activity/shake", filters: { state: ["状态", lotteryState] } });
registerExportedList("lottery-draws", {
  path: "/activity/shake",
  filters: { lotteryId: ["活动"], what: ["结果", drawnWhat], status: ["兑奖", winStatus] },
});
