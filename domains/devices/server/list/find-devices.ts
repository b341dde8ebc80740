import { sql } from "kysely";
import { byName, type Finder, mayBeName } from "../../../find/server/index.ts";
import { devicesWhere } from "./device-columns.ts";

/** 设备, as the list shows them. */
export const deviceFinder: Finder = {
  kind: "devices",
  title: "设备",
  access: "/device/list",
  match: mayBeName,
  by: { alias: "d", table: "name_search", kind: "devices" },
  find: (ctx, sought) =>
    byName(ctx, sought, {
      from: sql`devices d`,
      where: devicesWhere(ctx.scope, ctx.now_ms, {}),
      title: sql`d.name`,
      hint: sql`d.sn, (select s.short_name from stores s where s.service_provider_id = d.service_provider_id and s.id = d.store_id)`,
      newest: sql`d.created_at`,
      to: (id) => `/device/list?id=${id}`,
    }),
};
