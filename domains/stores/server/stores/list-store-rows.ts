import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listStoreRows as endpoint } from "../../contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./store-columns.ts";
import { storesWhere } from "./store-filter.ts";

const MOST_COUNTED = 10_000;

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
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select 1 from stores s where ${where} limit ${sql.lit(MOST_COUNTED + 1)}) as x`.execute(ctx.tx);
  const count = counted.rows[0]?.n ?? 0;
  return { items, next, total: { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED } };
});
