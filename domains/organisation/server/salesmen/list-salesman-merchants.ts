import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listSalesmanMerchants } from "../../contract/index.ts";
import { merchantsWhere } from "../merchants/list/merchant-filter.ts";
import { findSalesman } from "./find-salesman.ts";

const MOST = 200;

/** 业务员的商户, by name. */
export const listSalesmanMerchantsRoute = implement(listSalesmanMerchants, async (ctx, { id, keyword }) => {
  const { service_provider_id: provider } = await findSalesman(ctx.tx, ctx.scope, id);
  const where = await merchantsWhere(ctx.tx, ctx.scope, { salesmanId: id, keyword });
  const { rows } = await sql<OutputOf<typeof listSalesmanMerchants>["items"][number]>`
    select m.id, m.number, m.short_name as name, m.state, m.opened_at as "openedAt" from merchants m
    where m.service_provider_id = ${provider} and ${inScope(ctx.scope, "m")} and ${where}
    order by m.short_name, m.id limit ${sql.lit(MOST)}`.execute(ctx.tx);
  return { items: rows };
});
