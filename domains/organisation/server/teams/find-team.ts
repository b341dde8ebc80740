import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** A team in sight. @throws 404, one answer for what is elsewhere and what is not at all */
export async function findTeam(tx: Transaction, scope: Scope, id: string) {
  const found = await tx
    .selectFrom("business_teams as t")
    .selectAll("t")
    .where("t.id", "=", id)
    .where(inScope(scope, "t"))
    .executeTakeFirst();
  if (!found) throw notFound("业务团队");
  return found;
}
