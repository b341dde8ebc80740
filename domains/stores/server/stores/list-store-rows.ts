import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { FEW } from "@zhangfang/server/found-by.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listStoreRows as endpoint } from "../../contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./store-columns.ts";
import { storesWhere } from "./store-filter.ts";

/** 门店: one page, newest first. The page is cut before names and sums are looked up. */
export const listStoreRows = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = await storesWhere(ctx.tx, ctx.scope, filter);
  const found = await sql<FoundStore>`
    with s as (select * from stores s where ${where} and ${after(cursor, "s.created_at", "s.id", "timestamptz", descending)}
      order by s.created_at ${direction}, s.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${storeColumns} from s ${storeNames(ctx.scope, ctx.now_ms)}
    order by s.created_at ${direction}, s.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(shownStore), pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  return { items, next, total: await countRows(ctx.tx, sql`stores s where ${where}`, filter.keyword ? FEW : undefined) };
});
