import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { FEW } from "@zhangfang/server/found-by.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listMerchantRows as endpoint } from "../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./merchant-columns.ts";
import { merchantsWhere } from "./merchant-filter.ts";

/** 商户: one page, newest first. The page is cut before names and counts are looked up. */
export const listMerchantRows = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-openedAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = await merchantsWhere(ctx.tx, ctx.scope, filter);
  const found = await sql<RowOf<typeof endpoint>>`
    with m as (select * from merchants m where ${where} and ${after(cursor, "m.opened_at", "m.id", "timestamptz", descending)}
      order by m.opened_at ${direction}, m.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${merchantColumns(ctx.scope)} from m ${merchantNames(ctx.scope)}
    order by m.opened_at ${direction}, m.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(withMasks), pageSize, (row) => ({ value: row.openedAt, id: row.id }));
  if (!withTotal) return { items, next };
  return { items, next, total: await countRows(ctx.tx, sql`merchants m where ${where}`, filter.keyword ? FEW : undefined) };
});
