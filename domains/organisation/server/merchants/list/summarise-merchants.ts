import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { nodeState, summariseMerchants } from "../../../contract/index.ts";
import { merchantsWhere } from "./merchant-filter.ts";

// Of a few merchants each one's stores are counted, of many all stores at once.
const STORES = {
  few: sql`cross join lateral (select count(*) as stores from stores s where s.service_provider_id = m.service_provider_id and s.merchant_id = m.id) x`,
  many: sql`left join (select service_provider_id, merchant_id, count(*) as stores from stores group by 1, 2) x
    on x.service_provider_id = m.service_provider_id and x.merchant_id = m.id`,
};
/** 商户合计: merchants and their stores over the whole filter; the tabs count every state. */
export const summariseMerchantsRoute = implement(summariseMerchants, async (ctx, filter) => {
  const found = await sql<{ state: string; count: number; stores: number }>`
    select m.state, count(*)::int as count, coalesce(sum(x.stores), 0)::int as stores
    from merchants m
    ${STORES[filter.keyword ? "few" : "many"]}
    where ${await merchantsWhere(ctx.tx, ctx.scope, filter, true)} group by m.state`.execute(ctx.tx);
  const chosen = found.rows.filter((row) => filter.state === undefined || row.state === filter.state);
  return {
    count: chosen.reduce((sum, row) => sum + row.count, 0),
    storeCount: chosen.reduce((sum, row) => sum + row.stores, 0),
    perState: nodeState.values.map((state) => ({ state, count: found.rows.find((row) => row.state === state)?.count ?? 0 })),
  };
});
