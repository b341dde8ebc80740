import { sql, type RawBuilder } from "kysely";
import { firstFence, inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/**
 * The store of an entry: its own, else the one that the platform's store was mapped to on its day (entries never change), of a reversal on the
 * day of its use; null where it was mapped to none.
 */
export const storeOfEntry = (alias: string): RawBuilder<string | null> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`coalesce(${of("store_id")}, app.mapped_store(${of("service_provider_id")}, ${of("merchant_id")}, ${of("platform")}::text, ${of("platform_store_id")},
    app.day_at_store(${of("service_provider_id")}, ${of("merchant_id")}, ${of("platform")}::text, ${of("kind")}, ${of("certificate_id")}, ${of("verify_id")}, ${of("day")})))`;
};
/** The same of the sums of entries (`voucher_sums`), which keep the day whose mapping holds. */
export const storeOfSums = (alias: string): RawBuilder<string | null> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`coalesce(${of("store_id")}, app.mapped_store(${of("service_provider_id")}, ${of("merchant_id")}, ${of("platform")}, ${of("platform_store_id")}, ${of("map_day")}))`;
};
/** The first fence of entries, or of their sums: a store has also those that are its own by the mapping of the platform's store. */
export function entriesInScope(scope: Scope, alias: string, storeOf = storeOfEntry): RawBuilder<boolean> {
  const merchant = inScope(scope, alias, "merchant");
  if (!firstFence.on || scope.stores === undefined) return merchant;
  const own = sql.ref(`${alias}.store_id`);
  const stores = sql`any(${`{${scope.stores.join(",")}}`}::uuid[])`;
  // By the column where it has one: what the planner knows of stores is of that column.
  return sql`(${merchant} and (${own} = ${stores} or ${own} is null and ${storeOf(alias)} = ${stores}))`;
}
