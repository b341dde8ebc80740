import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listSites as endpoint } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/like-text.ts";
import { siteColumns } from "./site-columns.ts";

/** 官网: one page, newest first. */
export const listSites = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, serviceProviderId, keyword, state }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const like = keyword && likeText(keyword);
  const where = sql`${inScope(ctx.scope, "s")}
    ${serviceProviderId ? sql`and s.service_provider_id = ${serviceProviderId}` : sql``}
    ${state ? sql`and (s.published is null) = ${state === "draft"}` : sql``}
    ${like ? sql`and (s.host like ${like} or s.draft ->> 'title' like ${like})` : sql``}`;
  const found = await sql<RowOf<typeof endpoint>>`
    select ${siteColumns} from official_sites s join service_providers p on p.id = s.service_provider_id
    where ${where} and ${after(cursor, "s.created_at", "s.id", "timestamptz", descending)}
    order by s.created_at ${direction}, s.id ${direction} limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const { items, next } = page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  const counted = await sql<{ n: number }>`select count(*)::int as n from official_sites s where ${where}`.execute(ctx.tx);
  return { items, next, total: { count: counted.rows[0]?.n ?? 0, more: false } };
});
