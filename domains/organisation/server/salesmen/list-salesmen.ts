import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listSalesmen as endpoint } from "../../contract/index.ts";
import { salesmanColumns, salesmanNames, salesmenWhere, withPhoneMasked } from "./salesman-columns.ts";

/** 业务员: one page, newest first. The page is cut before names and figures are looked up. */
export const listSalesmen = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = salesmenWhere(ctx.scope, filter);
  const found = await sql<RowOf<typeof endpoint>>`
    with s as (select * from salesmen s where ${where} and ${after(cursor, "s.created_at", "s.id", "timestamptz", descending)}
      order by s.created_at ${direction}, s.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${salesmanColumns(ctx.scope, ctx.now_ms)} from s ${salesmanNames(ctx.scope)}
    order by s.created_at ${direction}, s.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(withPhoneMasked), pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  return { items, next, total: await countRows(ctx.tx, sql`salesmen s where ${where}`) };
});
