import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { nodeState, summariseAgents } from "../../contract/index.ts";
import { agentsWhere } from "./agent-columns.ts";

/** 代理商合计: how many over the whole filter; the tabs count every state. */
export const summariseAgentsRoute = implement(summariseAgents, async (ctx, filter) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select a.state, count(*)::int as count from agents a where ${agentsWhere(ctx.scope, filter, true)} group by a.state`.execute(ctx.tx);
  const perState = nodeState.values.map((state) => ({ state, count: rows.find((row) => row.state === state)?.count ?? 0 }));
  const chosen = perState.filter(({ state }) => filter.state === undefined || state === filter.state);
  return { count: chosen.reduce((sum, { count }) => sum + count, 0), perState };
});
