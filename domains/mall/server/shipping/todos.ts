import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../../todos/server/index.ts";

export const mallTodos: readonly TodoKind[] = [
  {
    key: "mall-orders-to-ship",
    urgency: 1,
    unit: "笔",
    title: "商城订单等待发货",
    act: "去发货",
    access: "/reconciliation/pay/ship",
    to: "/reconciliation/pay?status=1&from=&to=",
    opens: (id) => `/reconciliation/pay?status=1&from=&to=&id=${id}`,
    waits: ({ scope }) => ({
      from: sql`mall_orders x`,
      where: all([inScope(scope, "x", "store"), sql`x.status = 1`]),
      id: sql`x.id`,
      title: sql`x.mall_no`,
      since: sql`x.created_at`,
    }),
  },
];
