import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import { listAgents } from "../../contract/index.ts";
import { withMasks } from "../merchants/list/merchant-columns.ts";
import { agentColumns, agentFigures, type AgentFilter, agentsWhere } from "./agent-columns.ts";

/** The list of agents, for screen and file. */
export const agentsListed = (scope: Scope, filter: AgentFilter, now_ms: number): Listed => ({
  columns: agentColumns,
  from: sql`agents a`,
  names: agentFigures(scope, now_ms),
  where: agentsWhere(scope, filter),
  order: "a.created_at",
});
/** 代理商: one page, newest first. The page is cut before its figures are added up. */
export const listAgentsRoute = implement(listAgents, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listAgents>>(ctx.tx, input, agentsListed(ctx.scope, input, ctx.now_ms));
  return { items: items.map(withMasks), ...rest };
});
