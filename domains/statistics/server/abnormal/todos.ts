import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../../todos/server/index.ts";

export const abnormalTodos: readonly TodoKind[] = [
  {
    key: "abnormal-stores",
    urgency: 2,
    unit: "家",
    title: "门店收款异常",
    act: "去处理",
    access: "/store/abnormal/handle",
    to: "/store/abnormal?status=0",
    opens: (id) => `/store/abnormal?status=0&panel=handle:${id}`,
    waits: ({ scope }) => ({
      from: sql`abnormal_stores a join stores s on s.service_provider_id = a.service_provider_id and s.id = a.store_id`,
      where: all([inScope(scope, "a", "store"), sql`a.status = 0`]),
      id: sql`a.id`,
      title: sql`s.short_name`,
      since: sql`a.found_at`,
    }),
  },
];
