import { sql } from "kysely";
import type { z } from "zod";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { SEEK_LIMIT, type inStore } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

interface Sought {
  readonly keyword?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly storeId?: string | undefined;
  readonly id?: string | undefined;
}

/**
 * Finds what stands in a store, by a part of its name, its number or the store's name, in the caller's scope.
 * @param table with a name, a number of its own and a store
 */
export async function seekInStores(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  table: { readonly name: "cashiers" | "devices"; readonly number: "code" | "sn" },
  { keyword, merchantId, storeId, id }: Sought,
): Promise<z.input<typeof inStore>[]> {
  const like = keyword ? likeText(keyword) : undefined;
  const found = await sql<z.input<typeof inStore>>`
    select x.id, x.name, s.short_name as "storeName"
    from ${sql.table(table.name)} x
    join stores s on s.service_provider_id = x.service_provider_id and s.id = x.store_id
    where ${inScope(scope, "x", "store")} ${id ? sql`and x.id = ${id}` : sql``} ${merchantId ? sql`and x.merchant_id = ${merchantId}` : sql``}
      ${storeId ? sql`and x.store_id = ${storeId}` : sql``}
      ${keyword ? sql`and (x.name ilike ${like} or ${sql.ref(`x.${table.number}`)} ilike ${like} or s.short_name ilike ${like})` : sql``}
    order by s.created_at, s.id, x.created_at, x.id limit ${SEEK_LIMIT}`.execute(tx);
  return found.rows;
}
