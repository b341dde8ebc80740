import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { TodoKind } from "../../todos/server/index.ts";

/** Accounts whose authorisation ended, as their platform says: nothing comes until somebody authorises anew. */
export const takeawayTodos: readonly TodoKind[] = [
  {
    key: "takeaway-ended",
    urgency: 1,
    unit: "个",
    title: "外卖平台说授权已解除，取不到订单",
    act: "去授权",
    access: "/dataCentre/takeaway/account",
    to: (first) => `/dataCentre/takeaway?merchantId=${first}&panel=account`,
    waits: ({ scope }) => ({
      from: sql`platform_accounts a join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id`,
      where: all([inScope(scope, "a", "merchant"), sql`a.ended_at is not null and a.state = 'active' and a.platform = 'ele'`]),
      id: sql`a.merchant_id`,
      title: sql`m.short_name`,
      since: sql`a.ended_at`,
    }),
  },
];
