import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { nodeState, summariseGroups } from "../../contract/index.ts";
import { groupsWhere } from "./group-columns.ts";

/** 业务集团合计: how many over the whole filter; the tabs count every state. */
export const summariseGroupsRoute = implement(summariseGroups, async (ctx, filter) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select g.state, count(*)::int as count from business_groups g where ${groupsWhere(ctx.scope, filter, true)} group by g.state`.execute(
    ctx.tx,
  );
  const perState = nodeState.values.map((state) => ({ state, count: rows.find((row) => row.state === state)?.count ?? 0 }));
  const chosen = perState.filter(({ state }) => filter.state === undefined || state === filter.state);
  return { count: chosen.reduce((sum, { count }) => sum + count, 0), perState };
});
