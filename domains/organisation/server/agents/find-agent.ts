import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** An agent in sight. @throws 404, one answer for what is elsewhere and what is not at all */
export async function findAgent(tx: Transaction, scope: Scope, id: string) {
  const found = await tx.selectFrom("agents as a").selectAll("a").where("a.id", "=", id).where(inScope(scope, "a")).executeTakeFirst();
  if (!found) throw notFound("代理商");
  return found;
}
