import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listTeams as endpoint } from "../../contract/index.ts";
import { withLeaderMasked } from "../mask-leader.ts";
import { teamColumns, teamNames, teamsWhere } from "./team-columns.ts";

const MOST_COUNTED = 10_000;

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
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select 1 from business_teams t where ${where} limit ${sql.lit(MOST_COUNTED + 1)}) as x`.execute(
    ctx.tx,
  );
  const count = counted.rows[0]?.n ?? 0;
  return { items, next, total: { count: Math.min(count, MOST_COUNTED), more: count > MOST_COUNTED } };
});
