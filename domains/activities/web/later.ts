// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { activityKind, activityState, grantStatus, refusedWhy } from "../contract/index.ts";

registerExportedList("activities", {
  path: "/activity/centre",
  filters: { state: ["状态", activityState], kind: ["类型", activityKind] },
});
registerExportedList("activity-grants", {
  path: "/activity/centre",
  filters: { activityId: ["活动"], status: ["结果", grantStatus], why: ["原因", refusedWhy] },
});
