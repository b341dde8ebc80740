import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listSalesmen as endpoint } from "../../contract/index.ts";
import { salesmanColumns, salesmanNames, salesmenWhere, withPhoneMasked } from "./salesman-columns.ts";

const MOST_COUNTED = 10_000;

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
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select 1 from salesmen s where ${where} limit ${sql.lit(MOST_COUNTED + 1)}) as x`.execute(ctx.tx);
  const count = counted.rows[0]?.n ?? 0;
  return { items, next, total: { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED } };
});
