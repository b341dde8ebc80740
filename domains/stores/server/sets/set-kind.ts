import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** What a set of stores is: where it is kept and what people call it. */
export interface SetKind {
  readonly what: string;
  readonly table: "store_groups" | "areas";
  readonly members: "store_group_members" | "area_stores";
  readonly key: "group_id" | "area_id";
  readonly target: string;
}
export const GROUP: SetKind = {
  what: "分组",
  table: "store_groups",
  members: "store_group_members",
  key: "group_id",
  target: "store-group",
};
export const AREA: SetKind = { what: "区域", table: "areas", members: "area_stores", key: "area_id", target: "area" };

/** A set in sight, held until the transaction ends. @throws 404 */
export async function holdSet(tx: Transaction, scope: Scope, { table, what }: SetKind, id: string) {
  const found = await sql<{ service_provider_id: string; merchant_id: string; name: string }>`
    select x.service_provider_id, x.merchant_id, x.name from ${sql.table(table)} x
    where x.id = ${id} and ${inScope(scope, "x", "merchant")} for update of x`.execute(tx);
  if (!found.rows[0]) throw notFound(what);
  return { id, ...found.rows[0] };
}
/** The stores of a set. */
export async function storesOfSet(tx: Transaction, { members, key }: SetKind, set: { service_provider_id: string; id: string }) {
  const found = await sql<{ store_id: string }>`select y.store_id from ${sql.table(members)} y
    where y.service_provider_id = ${set.service_provider_id} and ${sql.ref(`y.${key}`)} = ${set.id}`.execute(tx);
  return found.rows.map((row) => row.store_id);
}
