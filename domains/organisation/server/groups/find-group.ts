import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** A group in sight. @throws 404, one answer for what is elsewhere and what is not at all */
export async function findGroup(tx: Transaction, scope: Scope, id: string) {
  const found = await tx
    .selectFrom("business_groups as g")
    .selectAll("g")
    .where("g.id", "=", id)
    .where(inScope(scope, "g"))
    .executeTakeFirst();
  if (!found) throw notFound("业务集团");
  return found;
}
