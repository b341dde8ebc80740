import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** A salesman in sight. @throws 404, one answer for what is elsewhere and what is not at all */
export async function findSalesman(tx: Transaction, scope: Scope, id: string) {
  const found = await tx.selectFrom("salesmen as s").selectAll("s").where("s.id", "=", id).where(inScope(scope, "s")).executeTakeFirst();
  if (!found) throw notFound("业务员");
  return found;
}
