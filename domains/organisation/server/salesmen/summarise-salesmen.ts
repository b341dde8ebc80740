import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { nodeState, summariseSalesmen } from "../../contract/index.ts";
import { salesmenWhere } from "./salesman-columns.ts";

/** 业务员合计: how many over the whole filter; the tabs count every state. */
export const summariseSalesmenRoute = implement(summariseSalesmen, async (ctx, filter) => {
  const { rows } = await sql<{ state: string; count: number }>`
    select s.state, count(*)::int as count from salesmen s where ${salesmenWhere(ctx.scope, filter, true)} group by s.state`.execute(
    ctx.tx,
  );
  const perState = nodeState.values.map((state) => ({ state, count: rows.find((row) => row.state === state)?.count ?? 0 }));
  const chosen = perState.filter(({ state }) => filter.state === undefined || state === filter.state);
  return { count: chosen.reduce((sum, { count }) => sum + count, 0), perState };
});
