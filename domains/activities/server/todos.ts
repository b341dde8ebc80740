import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

/** Activities that another person lets go, and gifts that somebody has to look at before they are given. */
export const activityTodos: readonly TodoKind[] = [
  {
    key: "activities",
    urgency: 2,
    unit: "个",
    title: "营销活动等待审核",
    act: "去审核",
    access: "/activity/centre/audit",
    to: "/activity/centre?state=UNAUDIT",
    opens: (id) => `/activity/centre?state=UNAUDIT&id=${id}`,
    waits: (ctx) => ({
      from: sql`activities a`,
      where: all([inScope(ctx.scope, "a", "merchant"), sql`a.state = 'UNAUDIT'`, byAnother(ctx, "a.made_by")]),
      id: sql`a.id`,
      title: sql`a.name`,
      since: sql`a.created_at`,
    }),
  },
  {
    key: "grants-to-review",
    urgency: 2,
    unit: "份",
    title: "活动奖品等待放行",
    act: "去放行",
    access: "/activity/centre/review",
    to: (first) => `/activity/centre?id=${first}`,
    opens: (id) => `/activity/centre?id=${id}`,
    waits: ({ scope }) => ({
      from: sql`activity_grants g join activities a on a.service_provider_id = g.service_provider_id and a.id = g.activity_id`,
      where: all([inScope(scope, "g", "merchant"), sql`g.status = 'review'`]),
      id: sql`g.activity_id`,
      title: sql`a.name`,
      since: sql`g.at`,
    }),
  },
];
