import { sql } from "kysely";
import { maskName } from "@zhangfang/contract/text.ts";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listUsers as endpoint } from "../../contract/users.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { isRoot, sessionOf } from "../session/read-session.ts";
import { TARGET_FROM, usersInScope } from "./read-target.ts";
import { USER_ROW_FROM, userColumns } from "./user-columns.ts";
import { likeText } from "@zhangfang/server/like-text.ts";

/** The accounts that the caller administers: everybody below, and a root's own sub-accounts. */
export const listUsers = implement(endpoint, async (ctx, input) => {
  const session = sessionOf(ctx.principal);
  const locked = sql`app.locked_until(u.login, ${ctx.now})`;
  const staff = isRoot(session) ? sql`(u.root_login = ${session.login} and u.login <> u.root_login)` : sql`false`;
  // Whoever holds these items is platform, provider or merchant: below them stands every other level of their tree.
  const below =
    session.level === "MCH" ? sql`u.level = 'AE'` : session.level === "SP" ? sql`u.level not in ('ADMIN', 'SP')` : sql`u.level <> 'ADMIN'`;
  const narrowed = ctx.scope.stores === undefined || session.level !== "MCH" ? sql`true` : staff;
  const conditions = sql`${usersInScope(ctx.scope)} and u.id <> ${session.user_id} and (${staff} or ${below}) and ${narrowed}
    ${input.keyword ? sql`and (u.login ilike ${likeText(input.keyword)} or u.first_name ilike ${likeText(input.keyword)})` : sql``}
    ${input.level ? sql`and u.level = ${input.level}` : sql``} ${input.state ? sql`and u.state = ${input.state}` : sql``}
    ${input.locked === undefined ? sql`` : input.locked ? sql`and ${locked} is not null` : sql`and ${locked} is null`}
    ${input.serviceProviderId ? sql`and u.service_provider_id = ${input.serviceProviderId}` : sql``}
    ${input.merchantId ? sql`and u.merchant_id = ${input.merchantId}` : sql``}`;
  const found = await sql<RowOf<typeof endpoint>>`
    select ${userColumns(ctx)} from ${USER_ROW_FROM}
    where ${conditions} and ${after(input.cursor, "u.created_at", "u.id", "timestamptz", true)}
    order by u.created_at desc, u.id desc limit ${input.pageSize + 1}`.execute(ctx.tx);
  const rows = found.rows.map((row) => ({ ...row, firstName: maskName(row.firstName) }));
  const { items, next } = page(rows, input.pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!input.withTotal) return { items, next };
  const counted = await sql<{
    count: number;
  }>`select count(*)::int as count from (select 1 from ${TARGET_FROM} where ${conditions} limit 10001) x`.execute(ctx.tx);
  const count = counted.rows[0]?.count ?? 0;
  return { items, next, total: { count: Math.min(count, 10_000), more: count > 10_000 } };
});
