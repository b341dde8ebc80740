import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listAgents } from "../../contract/index.ts";
import { withMasks } from "../merchants/list/merchant-columns.ts";
import { agentColumns, agentFigures, agentsWhere } from "./agent-columns.ts";

/** 代理商: one page, newest first. The page is cut before its figures are added up. */
export const listAgentsRoute = implement(listAgents, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listAgents>>(ctx.tx, input, {
    columns: agentColumns,
    from: sql`agents a`,
    names: agentFigures(ctx.scope, ctx.now_ms),
    where: agentsWhere(ctx.scope, input),
    order: "a.created_at",
  });
  return { items: items.map(withMasks), ...rest };
});
