import { sql } from "kysely";
import { byName, type Finder, mayBeName } from "../../../find/server/index.ts";
import { storesWhere } from "./list/store-filter.ts";

/** 门店, as the list shows them. */
export const storeFinder: Finder = {
  kind: "stores",
  title: "门店",
  promise: "门店",
  access: "/store/store",
  match: mayBeName,
  by: { alias: "s", table: "store_search", id: "store_id", phone: "phone" },
  find: async (ctx, sought) =>
    byName(ctx, sought, {
      from: sql`stores s`,
      where: await storesWhere(ctx.tx, ctx.scope, {}),
      title: sql`s.name`,
      hint: sql`s.number, ${
        ctx.scope.merchant === undefined
          ? sql`(select m.short_name from merchants m where m.service_provider_id = s.service_provider_id and m.id = s.merchant_id)`
          : sql`null`
      }, case when s.state = 'disabled' then '已停用' end`,
      newest: sql`s.created_at`,
      to: (id) => `/store/store?id=${id}`,
    }),
};
