import { sql } from "kysely";
import { byName, type Finder, mayBeName } from "../../find/server/index.ts";
import { cashiersWhere } from "./read-cashiers.ts";

/** 收银员, as the list shows them. */
export const cashierFinder: Finder = {
  kind: "cashiers",
  title: "收银员",
  access: "/cashier/cashier",
  match: mayBeName,
  by: { alias: "c", table: "name_search", kind: "cashiers" },
  find: (ctx, sought) =>
    byName(ctx, sought, {
      from: sql`cashiers c`,
      where: cashiersWhere(ctx.scope, {}),
      title: sql`c.name`,
      hint: sql`c.code, (select s.short_name from stores s where s.service_provider_id = c.service_provider_id and s.id = c.store_id),
        case when c.state = 'disabled' then '已停用' end`,
      newest: sql`c.created_at`,
      to: (id) => `/cashier/cashier?id=${id}`,
    }),
};
