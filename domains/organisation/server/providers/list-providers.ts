import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listProviders as endpoint } from "../../contract/index.ts";
import { withMasks } from "../merchants/merchant-columns.ts";
import { providerColumns, providersWhere } from "./provider-columns.ts";

/** 服务商: one page, newest first. The page is cut before what stands below each is counted. */
export const listProviders = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = providersWhere(ctx.scope, filter, ctx.now_ms);
  const found = await sql<RowOf<typeof endpoint>>`
    with p as (select * from service_providers p where ${where} and ${after(cursor, "p.created_at", "p.id", "timestamptz", descending)}
      order by p.created_at ${direction}, p.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${providerColumns(ctx.now_ms)} from p order by p.created_at ${direction}, p.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(withMasks), pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  const counted = await sql<{ n: number }>`select count(*)::int as n from service_providers p where ${where}`.execute(ctx.tx);
  return { items, next, total: { count: counted.rows[0]?.n ?? 0, more: false } };
});
