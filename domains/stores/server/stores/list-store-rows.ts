import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { FEW } from "@zhangfang/server/found-by.ts";
import { listPage } from "@zhangfang/server/list-page.ts";
import { listStoreRows as endpoint } from "../../contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./store-columns.ts";
import { storesWhere } from "./store-filter.ts";

/** 门店: one page, newest first. The page is cut before names and sums are looked up. */
export const listStoreRows = implement(endpoint, async (ctx, input) => {
  const { items, ...rest } = await listPage<FoundStore>(ctx.tx, input, {
    columns: storeColumns,
    from: sql`stores s`,
    names: storeNames(ctx.scope, ctx.now_ms),
    where: await storesWhere(ctx.tx, ctx.scope, input),
    order: "s.created_at",
    ...(input.keyword && { most: FEW }),
  });
  return { items: items.map(shownStore), ...rest };
});
