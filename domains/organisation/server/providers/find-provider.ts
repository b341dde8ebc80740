import { type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { UpdateObject } from "kysely";
import type { DB } from "@zhangfang/server/database/db.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";

/** A provider in sight. @throws 404, one answer for what is elsewhere and what is not at all */
export async function findProvider(tx: Transaction, scope: Scope, id: string) {
  const found = await tx
    .selectFrom("service_providers as p")
    .selectAll("p")
    .where("p.id", "=", id)
    .where(inScope(scope, "p"))
    .executeTakeFirst();
  if (!found) throw notFound("服务商");
  return found;
}

/** Changes a provider over the version that was read, so that nobody overwrites what they did not see. @throws 409 */
export const changeProvider = (
  tx: Transaction,
  id: string,
  version: number,
  values: UpdateObject<DB, "service_providers">,
): Promise<void> => writeOver(tx, "service_providers", { id }, version, values, "服务商资料");
