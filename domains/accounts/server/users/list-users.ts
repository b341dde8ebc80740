import { sql, type RawBuilder } from "kysely";
import { maskName } from "@zhangfang/contract/text.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listUsers } from "../../contract/users.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { isRoot, sessionOf } from "../session/read-session.ts";
import { TARGET_FROM, usersInScope } from "./read-target.ts";
import { USER_ROW_FROM, userColumns } from "./user-columns.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

/** Accounts `u` that the caller administers, from a select over TARGET_FROM: everybody below, and a root's own sub-accounts. */
export function administered({ principal, scope }: Pick<Ctx, "principal" | "scope">): RawBuilder<boolean> {
  const session = sessionOf(principal);
  const staff = isRoot(session) ? sql`(u.root_login = ${session.login} and u.login <> u.root_login)` : sql`false`;
  // Whoever holds these items is platform, provider or merchant: below them stands every other level of their tree.
  const below =
    session.level === "MCH" ? sql`u.level = 'AE'` : session.level === "SP" ? sql`u.level not in ('ADMIN', 'SP')` : sql`u.level <> 'ADMIN'`;
  return all([
    usersInScope(scope),
    sql`u.id <> ${session.user_id}`,
    sql`${staff} or ${below}`,
    scope.stores !== undefined && session.level === "MCH" && staff,
  ]);
}

/** 账号管理. */
export const listUsersRoute = implement(listUsers, async (ctx, input) => {
  const locked = sql`app.locked_until(u.login, ${ctx.now})`;
  const { items, ...rest } = await listPage<RowOf<typeof listUsers>>(ctx.tx, input, {
    columns: userColumns(ctx),
    from: USER_ROW_FROM,
    counted: TARGET_FROM,
    where: all([
      administered(ctx),
      input.keyword && sql`u.login ilike ${likeText(input.keyword)} or u.first_name ilike ${likeText(input.keyword)}`,
      is("u.level", input.level),
      is("u.state", input.state),
      input.locked !== undefined && (input.locked ? sql`${locked} is not null` : sql`${locked} is null`),
      is("u.service_provider_id", input.serviceProviderId),
      is("u.merchant_id", input.merchantId),
    ]),
    order: "u.created_at",
  });
  return { items: items.map((row) => ({ ...row, firstName: maskName(row.firstName) })), ...rest };
});
