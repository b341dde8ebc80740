import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../todos/server/index.ts";
import { endsSoon } from "./terms/read-terms.ts";

const LIST = "/vip-member/orders?ending=soon&from=&to=";
/** Members whose paid level ends within a week, for whoever may sell it anew. */
export const vipTodos: readonly TodoKind[] = [
  {
    key: "vip-terms-ending",
    urgency: 3,
    unit: "位",
    title: "会员的付费等级 7 天内到期",
    act: "去续费",
    access: "/vip-member/orders/sell",
    to: LIST,
    opens: (id) => `${LIST}&id=${id}`,
    waits: ({ scope, now_ms }) => ({
      from: sql`vip_terms t`,
      where: all([inScope(scope, "t", "store"), endsSoon(now_ms)]),
      id: sql`t.id`,
      title: sql`concat(t.name, ' ', t.last_day)`,
      since: sql`t.last_day`,
    }),
  },
];
