import { lazy } from "react";
import { screen } from "@zhangfang/web/screen.ts";
import { registerMemberAct } from "../../members/web/index.ts";
import { adjustPoints } from "../contract/index.ts";

export const screens = {
  "member-point-rule": screen(() => import("./PointRuleScreen.tsx"), "PointRuleScreen"),
  "points-summary": screen(() => import("./PointsSummary.tsx"), "PointsSummary"),
  "batch-add-points-task": screen(() => import("./TaskList.tsx"), "TaskList"),
  "card-points-add": screen(() => import("./AdjustmentList.tsx"), "AdjustmentList"),
  "integral-reset": screen(() => import("./ClearList.tsx"), "ClearList"),
};

registerMemberAct({
  title: "积分调整",
  of: adjustPoints,
  Drawer: lazy(async () => ({ default: (await import("./AdjustPointsDrawer.tsx")).AdjustPointsDrawer })),
});
