import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listGroupChoices, LOOKUP_LIMIT } from "../../contract/index.ts";

/** Open groups that a team may belong to. */
export const listGroupChoicesRoute = implement(listGroupChoices, async (ctx, { serviceProviderId }) => {
  const provider = serviceProviderId ?? ctx.scope.provider ?? null;
  const { rows } = await sql<{ id: string; name: string }>`select g.id, g.name from business_groups g
    where g.service_provider_id = ${provider} and g.state = 'active' and ${inScope(ctx.scope, "g")}
    order by g.name, g.id limit ${sql.lit(LOOKUP_LIMIT)}`.execute(ctx.tx);
  return { items: rows };
});
