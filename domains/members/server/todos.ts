import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

/** What another person than who asked for it says yes to: what members brought from elsewhere, and merges without a code. */
export const memberTodos: readonly TodoKind[] = [
  {
    key: "openings",
    urgency: 2,
    unit: "位",
    title: "会员的期初本金等待确认",
    act: "去确认",
    access: "/member/member/opening",
    to: "/member/member?panel=openings",
    waits: (ctx) => ({
      from: sql`member_openings w join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id`,
      where: all([inScope(ctx.scope, "w", "store"), sql`w.status = 0`, byAnother(ctx, "w.asked_by")]),
      id: sql`w.id`,
      title: sql`concat('会员 ', m.no, ' ¥', round(w.principal_cents / 100.0, 2))`,
      since: sql`w.created_at`,
    }),
  },
  {
    key: "merges",
    urgency: 2,
    unit: "位",
    title: "会员的合并等待审核",
    act: "去审核",
    access: "/member/member/merge",
    to: (first) => `/member/details?id=${first}`,
    opens: (id) => `/member/details?id=${id}`,
    waits: (ctx) => ({
      from: sql`member_merges w join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id`,
      where: all([inScope(ctx.scope, "w", "merchant"), sql`w.status = 0`, byAnother(ctx, "w.asked_by")]),
      id: sql`w.member_id`,
      title: sql`concat('会员 ', m.no)`,
      since: sql`w.created_at`,
    }),
  },
];
