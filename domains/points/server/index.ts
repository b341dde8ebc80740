import { domain } from "@zhangfang/server/calls/domain.ts";
import { adjustmentWaits, adjustPointsRoute, decidePointAdjustmentRoute } from "./adjust/adjust-points.ts";
import {
  adjustmentExport,
  listPointAdjustmentsRoute,
  listPointEntriesRoute,
  summarisePointAdjustmentsRoute,
} from "./adjust/list-adjustments.ts";
import { askClearNowRoute, cancelClearNowRoute, decideClearNowRoute, tellClears } from "./clears/clear-points.ts";
import {
  clearRowExport,
  getClearingRoute,
  getPointClearRoute,
  listPointClearRowsRoute,
  listPointClearsRoute,
} from "./clears/read-clears.ts";
import { pointsContributor } from "./earn/contribute-points.ts";
import { followPoints, followPointsJob } from "./earn/follow-points.ts";
import { getPointRuleRoute, savePointRuleRoute } from "./rule/edit-rule.ts";
import { pointsSummaryExport, summarisePointsRoute } from "./summarise-points.ts";
import { runPointTask } from "./tasks/run-task.ts";
import {
  countPointAudienceRoute,
  createPointTaskRoute,
  getPointTaskRoute,
  listPointTaskRowsRoute,
  listPointTasksRoute,
  steerPointTaskRoute,
  taskRowExport,
} from "./tasks/task-routes.ts";
import { verifyPoints } from "./verify-points.ts";
import { pointTodos } from "./todos.ts";

export { earnedBackOf, followPoints, unearnRecharge } from "./earn/follow-points.ts";
export { ruleOn } from "./rule/rule-on.ts";
export type { LevelMultiple } from "./earn/members.ts";
export { verifyPoints } from "./verify-points.ts";

export const points = domain({
  routes: [
    getPointRuleRoute,
    savePointRuleRoute,
    summarisePointsRoute,
    listPointAdjustmentsRoute,
    summarisePointAdjustmentsRoute,
    adjustPointsRoute,
    decidePointAdjustmentRoute,
    listPointEntriesRoute,
    listPointTasksRoute,
    getPointTaskRoute,
    listPointTaskRowsRoute,
    countPointAudienceRoute,
    createPointTaskRoute,
    steerPointTaskRoute,
    getClearingRoute,
    listPointClearsRoute,
    getPointClearRoute,
    listPointClearRowsRoute,
    askClearNowRoute,
    decideClearNowRoute,
    cancelClearNowRoute,
  ],
  jobs: [followPointsJob, runPointTask, tellClears],
  exports: [pointsSummaryExport, adjustmentExport, taskRowExport, clearRowExport],
  verify: { name: "points", run: verifyPoints },
  contributors: [pointsContributor],
  followers: { 积分: (services, { service_provider_id, id }) => followPoints(services, { service_provider_id, order_id: id }) },
  memberFacts: {
    against: adjustmentWaits,
    claimed: (tx, services, { service_provider_id, order_id }) =>
      services.jobs.enqueue(tx, followPointsJob, { service_provider_id, order_id }),
  },
  todos: pointTodos,
});
