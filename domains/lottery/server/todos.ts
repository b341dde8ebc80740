import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

export const lotteryTodos: readonly TodoKind[] = [
  {
    key: "lotteries",
    urgency: 2,
    unit: "个",
    title: "摇一摇活动等待审核",
    act: "去审核",
    access: "/activity/shake/audit",
    to: "/activity/shake?state=UNAUDIT",
    opens: (id) => `/activity/shake/details?id=${id}`,
    waits: (ctx) => ({
      from: sql`lotteries l`,
      where: all([inScope(ctx.scope, "l", "merchant"), sql`l.state = 'UNAUDIT'`, byAnother(ctx, "l.made_by")]),
      id: sql`l.id`,
      title: sql`l.name`,
      since: sql`l.created_at`,
    }),
  },
];
