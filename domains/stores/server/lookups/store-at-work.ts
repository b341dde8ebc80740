import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";

export interface StoreAtWork {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
}
/** A store in sight where people are at work. @throws 404 */
export async function storeAtWork(tx: Transaction, { scope }: Pick<Ctx, "scope">, storeId: string): Promise<StoreAtWork> {
  const { rows } = await sql<StoreAtWork>`select s.service_provider_id, s.merchant_id, s.id as store_id from stores s
    where s.id = ${storeId} and ${inScope(scope, "s")} and s.state = 'active'`.execute(tx);
  if (!rows[0]) throw notFound("门店");
  return rows[0];
}
