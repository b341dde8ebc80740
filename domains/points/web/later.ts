// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { adjustStatus, pointReason, taskRowStatus } from "../contract/index.ts";

registerExportedList("point-adjustments", {
  path: "/member/pointsAdd",
  filters: { reason: ["原因", pointReason], status: ["状态", adjustStatus] },
});
registerExportedList("point-task-rows", { path: "/member/batchPoints", filters: { status: ["结果", taskRowStatus] } });
registerExportedList("point-clear-rows", { path: "/vip-member/integralReset" });
