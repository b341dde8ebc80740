import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getSalesman } from "../../contract/index.ts";
import { salesmanColumns, salesmanNames, withPhoneMasked } from "./salesman-columns.ts";

/** 业务员详情: the row, and how many people a closing would put out. */
export const getSalesmanRoute = implement(getSalesman, async (ctx, { id }) => {
  // A salesman stands above no account, his own included.
  const own = sql`u.service_provider_id = s.service_provider_id and u.salesman_id = s.id and u.state = 'active' and ${sql.lit(ctx.scope.level !== "SM")}`;
  const found = await sql<OutputOf<typeof getSalesman>>`
    select ${salesmanColumns(ctx.scope, ctx.now_ms)}, s.version,
      (select count(*)::int from users u where ${own}) as "accountCount",
      (select count(*)::int from sessions e join users u on u.id = e.user_id where ${own} and e.ended_at is null and e.expires_at > ${ctx.now}) as "sessionCount"
    from salesmen s ${salesmanNames(ctx.scope)} where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("业务员");
  return withPhoneMasked(row);
});
