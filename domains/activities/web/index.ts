import { screen } from "@zhangfang/web/screen.ts";

/** What is given for an event: all activities, and those of each kind. */
export const screens = {
  "activity-centre": screen(() => import("./ActivityList.tsx"), "ActivityCentre"),
  "activity-birthday": screen(() => import("./ActivityList.tsx"), "Birthdays"),
  "activity-scan": screen(() => import("./ActivityList.tsx"), "Scans"),
  "activity-recommend": screen(() => import("./ActivityList.tsx"), "Recommendations"),
  "fans-coupon": screen(() => import("./ActivityList.tsx"), "FansCoupons"),
  "activity-new": screen(() => import("./ActivityList.tsx"), "NewMembers"),
};
