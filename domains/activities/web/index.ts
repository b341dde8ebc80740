import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { activityKind, activityState, grantStatus, refusedWhy } from "../contract/index.ts";

/** What is given for an event: all activities, and those of each kind. */
export const screens = {
  "activity-centre": screen(() => import("./ActivityList.tsx"), "ActivityCentre"),
  "activity-birthday": screen(() => import("./ActivityList.tsx"), "Birthdays"),
  "activity-scan": screen(() => import("./ActivityList.tsx"), "Scans"),
  "activity-recommend": screen(() => import("./ActivityList.tsx"), "Recommendations"),
  "fans-coupon": screen(() => import("./ActivityList.tsx"), "FansCoupons"),
  "activity-new": screen(() => import("./ActivityList.tsx"), "NewMembers"),
};

registerExportedList("activities", {
  path: "/activity/centre",
  filters: { state: ["状态", activityState], kind: ["类型", activityKind] },
});
registerExportedList("activity-grants", {
  path: "/activity/centre",
  filters: { activityId: ["活动"], status: ["结果", grantStatus], why: ["原因", refusedWhy] },
});
