import { sql } from "kysely";
import { byName, type Finder, mayBeName } from "../../find/server/index.ts";
import { agentsWhere } from "./agents/agent-columns.ts";
import { merchantsWhere } from "./merchants/list/merchant-filter.ts";
import { providersWhere } from "./providers/provider-columns.ts";
import { salesmenWhere } from "./salesmen/salesman-columns.ts";

const providerOf = (alias: string) =>
  sql`(select p.short_name from service_providers p where p.id = ${sql.ref(`${alias}.service_provider_id`)})`;
const closed = (alias: string) => sql`case when ${sql.ref(`${alias}.state`)} = 'disabled' then '已停用' end`;
/** Whose it is, told to whoever sees more than one provider's. */
const whose = (level: string, alias: string) => (level === "ADMIN" ? providerOf(alias) : sql`null`);

/** 商户、代理商、服务商、业务员, as their lists show them. */
export const nodeFinders: readonly Finder[] = [
  {
    kind: "merchants",
    title: "商户",
    promise: "商户",
    access: "/merchants/merchants",
    match: mayBeName,
    by: { alias: "m", table: "merchant_search", id: "merchant_id", phone: "contact_phone" },
    find: async (ctx, sought) =>
      byName(ctx, sought, {
        from: sql`merchants m`,
        where: await merchantsWhere(ctx.tx, ctx.scope, {}),
        title: sql`m.short_name`,
        hint: sql`m.number, nullif(m.name, m.short_name), ${whose(ctx.scope.level, "m")}, ${closed("m")}`,
        newest: sql`m.opened_at`,
        to: (id) => `/merchants/merchants?id=${id}`,
      }),
  },
  {
    kind: "agents",
    title: "代理商",
    promise: "代理商",
    access: "/agent/agent",
    match: mayBeName,
    by: { alias: "a", table: "name_search", kind: "agents", phone: "contact_phone" },
    find: (ctx, sought) =>
      byName(ctx, sought, {
        from: sql`agents a`,
        where: agentsWhere(ctx.scope, {}),
        title: sql`a.name`,
        hint: sql`a.region, ${whose(ctx.scope.level, "a")}, ${closed("a")}`,
        newest: sql`a.created_at`,
        to: (id) => `/agent/agent?id=${id}`,
      }),
  },
  {
    kind: "providers",
    title: "服务商",
    promise: "服务商",
    access: "/admin/serviceProvider",
    match: mayBeName,
    by: { alias: "p", table: "name_search", kind: "service_providers", phone: "contact_phone" },
    find: (ctx, sought) =>
      byName(ctx, sought, {
        from: sql`service_providers p`,
        where: providersWhere(ctx.scope, {}, ctx.now_ms),
        title: sql`p.short_name`,
        hint: sql`p.number, nullif(p.name, p.short_name), ${closed("p")}`,
        newest: sql`p.created_at`,
        to: (id) => `/admin/serviceProvider?id=${id}`,
      }),
  },
  {
    kind: "salesmen",
    title: "业务员",
    access: "/salesman/salesman",
    match: mayBeName,
    by: { alias: "s", table: "name_search", kind: "salesmen", phone: "phone" },
    find: (ctx, sought) =>
      byName(ctx, sought, {
        from: sql`salesmen s`,
        where: salesmenWhere(ctx.scope, {}),
        title: sql`s.name`,
        hint: sql`(select a.name from agents a where a.service_provider_id = s.service_provider_id and a.id = s.agent_id),
          (select t.name from business_teams t where t.service_provider_id = s.service_provider_id and t.id = s.business_team_id), ${closed("s")}`,
        newest: sql`s.created_at`,
        to: (id) => `/salesman/salesman?id=${id}`,
      }),
  },
];
