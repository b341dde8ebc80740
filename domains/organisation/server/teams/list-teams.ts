import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listTeams as endpoint } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { teamColumns, teamNames, teamsWhere } from "./team-columns.ts";

/** 业务团队: one page, newest first. The page is cut before its figures are added up. */
export const listTeams = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = teamsWhere(ctx.scope, filter);
  const found = await sql<RowOf<typeof endpoint>>`
    with t as (select * from business_teams t where ${where} and ${after(cursor, "t.created_at", "t.id", "timestamptz", descending)}
      order by t.created_at ${direction}, t.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${teamColumns(ctx.scope, ctx.now_ms)} from t ${teamNames}
    order by t.created_at ${direction}, t.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(withLeaderMasked), pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  return { items, next, total: await countRows(ctx.tx, sql`business_teams t where ${where}`) };
});
