import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listGroups as endpoint } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { groupColumns, groupsWhere } from "./group-columns.ts";

/** 业务集团: one page, newest first. The page is cut before its figures are added up. */
export const listGroups = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = groupsWhere(ctx.scope, filter);
  const found = await sql<RowOf<typeof endpoint>>`
    with g as (select * from business_groups g where ${where} and ${after(cursor, "g.created_at", "g.id", "timestamptz", descending)}
      order by g.created_at ${direction}, g.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${groupColumns(ctx.scope, ctx.now_ms)} from g join service_providers p on p.id = g.service_provider_id
    order by g.created_at ${direction}, g.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(withLeaderMasked), pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  return { items, next, total: await countRows(ctx.tx, sql`business_groups g where ${where}`) };
});
