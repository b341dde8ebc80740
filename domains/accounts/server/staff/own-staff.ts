import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { isRoot, sessionOf } from "../session/read-session.ts";
import { usersInScope } from "../users/read-target.ts";

/** Sub-accounts `u` of the calling root, from a select over TARGET_FROM. */
export function ownStaff(ctx: Ctx): RawBuilder<boolean> {
  const session = sessionOf(ctx.principal);
  if (!isRoot(session)) throw notFound("子账号");
  return sql<boolean>`${usersInScope(ctx.scope)} and u.root_login = ${session.login} and u.login <> u.root_login`;
}
