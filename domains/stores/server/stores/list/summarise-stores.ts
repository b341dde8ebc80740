import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { nodeState } from "../../../../organisation/contract/index.ts";
import { summariseStores } from "../../../contract/index.ts";
import { storesWhere } from "./store-filter.ts";

/** 门店合计: stores over the whole filter and what they took today; the tabs count every state. */
export const summariseStoresRoute = implement(summariseStores, async (ctx, filter) => {
  const states = await sql<{ state: string; count: number }>`select s.state, count(*)::int as count from stores s
    where ${await storesWhere(ctx.tx, ctx.scope, filter, true)} group by s.state`.execute(ctx.tx);
  const sums = await sql<Pick<OutputOf<typeof summariseStores>, "todayCents" | "todayCount">>`
    select coalesce(sum(t.paid_cents - t.refund_cents), 0)::bigint as "todayCents", coalesce(sum(t.pay_count), 0)::int as "todayCount"
    from takings_daily t join stores s on s.service_provider_id = t.service_provider_id and s.id = t.store_id
    where t.day = ${shanghaiDay(ctx.now_ms)}::date and ${inScope(ctx.scope, "t")} and ${await storesWhere(ctx.tx, ctx.scope, filter)}`.execute(
    ctx.tx,
  );
  const perState = nodeState.values.map((state) => ({ state, count: states.rows.find((row) => row.state === state)?.count ?? 0 }));
  const chosen = perState.filter((row) => filter.state === undefined || row.state === filter.state);
  return { count: chosen.reduce((sum, row) => sum + row.count, 0), perState, ...sums.rows[0]! };
});
