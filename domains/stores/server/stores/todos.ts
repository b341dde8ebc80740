import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { FirstStep, TodoKind } from "../../../todos/server/index.ts";

/** Stores of platforms that no store of ours was named for, and stores that WeChat gave back. */
export const storeTodos: readonly TodoKind[] = [
  {
    key: "other-stores",
    urgency: 3,
    unit: "家",
    title: "平台门店还没对应到自己的门店",
    act: "去映射",
    access: "/store/other",
    to: "/store/other?state=waiting",
    opens: (id) => `/store/other?state=waiting&panel=edit:${id}`,
    waits: ({ scope }) => ({
      from: sql`other_stores o`,
      where: all([inScope(scope, "o", "merchant"), sql`o.state = 'waiting'`]),
      id: sql`o.id`,
      title: sql`o.name`,
      since: sql`o.updated_at`,
    }),
  },
  {
    key: "wx-stores-rejected",
    urgency: 3,
    unit: "家",
    title: "微信门店被退回",
    act: "去修改",
    access: "/store/wx/edit",
    to: "/store/wx?status=rejected",
    opens: (id) => `/store/wx?status=rejected&panel=link:${id}`,
    waits: ({ scope }) => ({
      from: sql`wx_stores w join stores s on s.service_provider_id = w.service_provider_id and s.id = w.store_id`,
      where: all([inScope(scope, "w", "store"), sql`w.status = 'rejected'`]),
      id: sql`w.store_id`,
      title: sql`s.short_name`,
      since: sql`w.updated_at`,
    }),
  },
];

export const storeStep: FirstStep = {
  key: "store",
  at: 30,
  title: "开第一家门店",
  why: "收款码、设备和收银员都挂在门店下",
  levels: ["SP", "AG", "TM", "MCH"],
  access: "/store/store/add",
  to: "/store/store?panel=add",
  done: (scope) => sql<boolean>`exists (select from stores s where ${inScope(scope, "s")} and s.state = 'active')`,
};
