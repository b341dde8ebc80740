import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { nodeState, summariseTeams } from "../../contract/index.ts";
import { teamsWhere } from "./team-columns.ts";

/** 业务团队合计: how many over the whole filter; the tabs count every state. */
export const summariseTeamsRoute = implement(summariseTeams, async (ctx, filter) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select t.state, count(*)::int as count from business_teams t where ${teamsWhere(ctx.scope, filter, true)} group by t.state`.execute(
    ctx.tx,
  );
  const perState = nodeState.values.map((state) => ({ state, count: rows.find((row) => row.state === state)?.count ?? 0 }));
  const chosen = perState.filter(({ state }) => filter.state === undefined || state === filter.state);
  return { count: chosen.reduce((sum, { count }) => sum + count, 0), perState };
});
