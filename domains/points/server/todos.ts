import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

/** Points that one person gives or takes and another confirms. */
export const pointTodos: readonly TodoKind[] = [
  {
    key: "point-adjustments",
    urgency: 2,
    unit: "笔",
    title: "积分调整等待审核",
    act: "去审核",
    access: "/member/pointsAdd/approve",
    to: "/member/pointsAdd?status=0",
    waits: (ctx) => ({
      from: sql`point_adjustments a join members m on m.service_provider_id = a.service_provider_id and m.id = a.member_id`,
      where: all([inScope(ctx.scope, "a", "merchant"), sql`a.status = 0`, byAnother(ctx, "a.asked_by")]),
      id: sql`a.id`,
      title: sql`concat('会员 ', m.no, ' ', case when a.points > 0 then '+' end, a.points)`,
      since: sql`a.created_at`,
    }),
  },
  {
    key: "point-clears",
    urgency: 2,
    unit: "次",
    title: "积分清零等待审核",
    act: "去审核",
    access: "/vip-member/integralReset/approve",
    to: "/vip-member/integralReset?status=0",
    opens: (id) => `/vip-member/integralReset?status=0&id=${id}`,
    waits: (ctx) => ({
      from: sql`point_clears c`,
      where: all([inScope(ctx.scope, "c", "merchant"), sql`c.status = 0`, byAnother(ctx, "c.asked_by")]),
      id: sql`c.id`,
      title: sql`c.reason`,
      since: sql`c.created_at`,
    }),
  },
];
