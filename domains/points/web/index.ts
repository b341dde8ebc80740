import { lazy } from "react";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerMemberAct } from "../../members/web/index.ts";
import { adjustPoints, adjustStatus, pointReason, taskRowStatus } from "../contract/index.ts";

export const screens = {
  "member-point-rule": screen(() => import("./PointRuleScreen.tsx"), "PointRuleScreen"),
  "points-summary": screen(() => import("./PointsSummary.tsx"), "PointsSummary"),
  "batch-add-points-task": screen(() => import("./TaskList.tsx"), "TaskList"),
  "card-points-add": screen(() => import("./AdjustmentList.tsx"), "AdjustmentList"),
  "integral-reset": screen(() => import("./ClearList.tsx"), "ClearList"),
};

registerExportedList("point-adjustments", {
  path: "/member/pointsAdd",
  filters: { reason: ["原因", pointReason], status: ["状态", adjustStatus] },
});
registerExportedList("point-task-rows", { path: "/member/batchPoints", filters: { status: ["结果", taskRowStatus] } });
registerExportedList("point-clear-rows", { path: "/vip-member/integralReset" });
registerMemberAct({
  title: "积分调整",
  of: adjustPoints,
  Drawer: lazy(async () => ({ default: (await import("./AdjustPointsDrawer.tsx")).AdjustPointsDrawer })),
});
