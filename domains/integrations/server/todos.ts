import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../todos/server/index.ts";
import { BODIES_KEPT_DAYS } from "../contract/index.ts";

const RECORDS = "/admin/dataPush/list?state=abandoned";

/** Addresses that nothing is told any more, and what was given up and can still be sent again. */
export const pushTodos: readonly TodoKind[] = [
  {
    key: "push-endpoints-off",
    urgency: 1,
    unit: "个",
    title: "推送地址已停用，对方收不到通知",
    act: "去恢复",
    access: "/admin/dataPush/state",
    to: "/admin/dataPush?state=disabled",
    opens: (id) => `/admin/dataPush?state=disabled&id=${id}`,
    waits: ({ scope }) => ({
      from: sql`push_endpoints e`,
      where: all([inScope(scope, "e", "provider"), sql`e.state = 'disabled'`]),
      id: sql`e.id`,
      title: sql`e.name`,
      since: sql`e.off_at`,
    }),
  },
  {
    key: "pushes-given-up",
    urgency: 2,
    unit: "条",
    title: "推送已放弃，可以重放",
    act: "去重放",
    access: "/admin/dataPush/replay",
    to: RECORDS,
    opens: (id) => `${RECORDS}&id=${id}`,
    waits: ({ scope, now }) => ({
      from: sql`push_deliveries d join push_endpoints e on e.service_provider_id = d.service_provider_id and e.id = d.endpoint_id`,
      where: all([
        inScope(scope, "d", "provider"),
        sql`d.state = 'abandoned' and d.type <> 'push.test' and e.state = 'active'
          and d.created_at > ${now}::timestamptz - ${sql.lit(BODIES_KEPT_DAYS)} * interval '1 day'`,
      ]),
      id: sql`d.id`,
      title: sql`e.name`,
      since: sql`d.created_at`,
    }),
  },
];
