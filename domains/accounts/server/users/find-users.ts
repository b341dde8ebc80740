import { sql } from "kysely";
import { maskName } from "@zhangfang/contract/text.ts";
import { byName, type Finder, mayBeName } from "../../../find/server/index.ts";
import { isRoot, sessionOf } from "../session/read-session.ts";
import { ownStaff } from "../staff/own-staff.ts";
import { administered } from "./list-users.ts";
import { TARGET_FROM } from "./read-target.ts";
import { USER_ROW_FROM } from "./user-columns.ts";

const BY = { alias: "u", table: "name_search", kind: "users" } as const;
const NAMED = {
  title: sql`u.first_name`,
  newest: sql`u.created_at`,
} as const;
const closed = sql`case when u.state = 'disabled' then '已停用' end`;

/** 账号 that the caller administers, as masked as in the list; a root's own 子账号, whose names it gave itself. */
export const userFinders: readonly Finder[] = [
  {
    kind: "staff",
    title: "子账号",
    access: "/bypass/bypass",
    match: mayBeName,
    by: BY,
    find: async (ctx, sought) =>
      isRoot(sessionOf(ctx.principal))
        ? byName(ctx, sought, {
            ...NAMED,
            from: TARGET_FROM,
            where: ownStaff(ctx),
            hint: sql`u.login, ${closed}`,
            to: (id) => `/bypass/bypass?id=${id}`,
          })
        : [],
  },
  {
    kind: "users",
    title: "账号",
    access: "/account/account",
    match: mayBeName,
    by: BY,
    find: async (ctx, sought) => {
      const hits = await byName(ctx, sought, {
        ...NAMED,
        from: USER_ROW_FROM,
        where: administered(ctx),
        hint: sql`u.login, coalesce(m.short_name, s.name, t.name, g.name, a.name, sp.short_name), ${closed}`,
        to: (id) => `/account/account?id=${id}`,
      });
      return hits.map((hit) => ({ ...hit, title: maskName(hit.title) }));
    },
  },
];
