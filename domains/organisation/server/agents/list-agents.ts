import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listAgents as endpoint } from "../../contract/index.ts";
import { withMasks } from "../merchants/merchant-columns.ts";
import { agentColumns, agentFigures, agentsWhere } from "./agent-columns.ts";

/** 代理商: one page, newest first. The page is cut before its figures are added up. */
export const listAgents = implement(endpoint, async (ctx, { cursor, pageSize, sort, withTotal, ...filter }) => {
  const descending = sort === "-createdAt";
  const direction = sql.raw(descending ? "desc" : "asc");
  const where = agentsWhere(ctx.scope, filter);
  const found = await sql<RowOf<typeof endpoint>>`
    with a as (select * from agents a where ${where} and ${after(cursor, "a.created_at", "a.id", "timestamptz", descending)}
      order by a.created_at ${direction}, a.id ${direction} limit ${sql.lit(pageSize + 1)})
    select ${agentColumns} from a ${agentFigures(ctx.scope, ctx.now_ms)}
    order by a.created_at ${direction}, a.id ${direction}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(withMasks), pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return { items, next };
  return { items, next, total: await countRows(ctx.tx, sql`agents a where ${where}`) };
});
