import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** Whether a team may go to a group: open, of the provider and in sight. @returns its name @throws 400, one answer for all that is not */
export async function checkGroup(tx: Transaction, scope: Scope, provider: string, id: string): Promise<string> {
  const group = await tx
    .selectFrom("business_groups as g")
    .select(["g.state", "g.name"])
    .where("g.service_provider_id", "=", provider)
    .where("g.id", "=", id)
    .where(inScope(scope, "g"))
    .executeTakeFirst();
  if (group?.state !== "active") throw invalid("businessGroupId", "业务集团不存在或已停用");
  return group.name;
}
