import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { nodeState, summariseProviders } from "../../contract/index.ts";
import { endsSoon, providersWhere } from "./provider-columns.ts";

/** 服务商合计: how many over the whole filter; the tabs count every state. */
export const summariseProvidersRoute = implement(summariseProviders, async (ctx, filter) => {
  const { rows } = await sql<{ state: string; count: number; expiring: number }>`
    select p.state, count(*)::int as count, count(*) filter (where ${endsSoon(ctx.now_ms)})::int as expiring
    from service_providers p where ${providersWhere(ctx.scope, filter, ctx.now_ms, true)} group by p.state`.execute(ctx.tx);
  const perState = nodeState.values.map((state) => ({ state, count: rows.find((row) => row.state === state)?.count ?? 0 }));
  const chosen = rows.filter(({ state }) => filter.state === undefined || state === filter.state);
  const sum = (of: "count" | "expiring") => chosen.reduce((total, row) => total + row[of], 0);
  return { count: sum("count"), expiring: sum("expiring"), perState };
});
