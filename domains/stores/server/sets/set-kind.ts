import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { removeArea, renameArea } from "../../../organisation/server/index.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** What a set of stores is: where it is kept and what people call it. */
export interface SetKind {
  readonly what: string;
  readonly table: "store_groups" | "areas";
  readonly members: "store_group_members" | "area_stores";
  readonly key: "group_id" | "area_id";
  readonly target: string;
  /** Each on a held set: areas are organisation's. */
  readonly rename: (tx: Transaction, set: HeldSet, name: string) => Promise<void>;
  readonly remove: (tx: Transaction, set: HeldSet) => Promise<void>;
}
interface HeldSet {
  readonly service_provider_id: string;
  readonly id: string;
}
export const GROUP: SetKind = {
  what: "分组",
  table: "store_groups",
  members: "store_group_members",
  key: "group_id",
  target: "store-group",
  rename: renameGroup,
  remove: removeGroup,
};
export const AREA: SetKind = {
  what: "区域",
  table: "areas",
  members: "area_stores",
  key: "area_id",
  target: "area",
  rename: renameArea,
  remove: removeArea,
};

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

const gone = () => new Error("a held group is gone");
async function renameGroup(tx: Transaction, { service_provider_id, id }: HeldSet, name: string): Promise<void> {
  const renamed = await tx
    .updateTable("store_groups")
    .set({ name })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(renamed, gone);
}
async function removeGroup(tx: Transaction, { service_provider_id, id }: HeldSet): Promise<void> {
  await tx.deleteFrom("store_group_members").where("service_provider_id", "=", service_provider_id).where("group_id", "=", id).execute();
  const removed = await tx
    .deleteFrom("store_groups")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(removed, gone);
}
