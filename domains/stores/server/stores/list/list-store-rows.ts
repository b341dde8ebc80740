import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { FEW } from "@zhangfang/server/lists/found-by.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { listStoreRows } from "../../../contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./store-columns.ts";
import { type StoreFilter, storesWhere } from "./store-filter.ts";

/** The list of stores as of a moment, for screen and file. The page is cut before names and sums are looked up. */
export const storesListed = async (scope: Scope, filter: StoreFilter, tx: Transaction, now_ms: number): Promise<Listed> => ({
  columns: storeColumns,
  from: sql`stores s`,
  names: storeNames(scope, now_ms),
  where: await storesWhere(tx, scope, filter),
  order: "s.created_at",
  ...(filter.keyword && { most: FEW }),
});
/** 门店: one page, newest first. */
export const listStoreRowsRoute = implement(listStoreRows, async (ctx, input) => {
  const { items, ...rest } = await listPage<FoundStore>(ctx.tx, input, await storesListed(ctx.scope, input, ctx.tx, ctx.now_ms));
  return { items: items.map(shownStore), ...rest };
});
