import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listMerchantRows as endpoint } from "../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./merchant-columns.ts";
import { merchantsWhere } from "./merchant-filter.ts";

const MOST_COUNTED = 10_000;

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
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select 1 from merchants m where ${where} limit ${sql.lit(MOST_COUNTED + 1)}) as x`.execute(ctx.tx);
  const count = counted.rows[0]?.n ?? 0;
  return { items, next, total: { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED } };
});
