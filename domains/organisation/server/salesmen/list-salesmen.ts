import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import { listSalesmen } from "../../contract/index.ts";
import { salesmanColumns, type SalesmanFilter, salesmanNames, salesmenWhere, withPhoneMasked } from "./salesman-columns.ts";

/** The list of salesmen, for screen and file. */
export const salesmenListed = (scope: Scope, filter: SalesmanFilter, now_ms: number): Listed => ({
  columns: salesmanColumns(scope, now_ms),
  from: sql`salesmen s`,
  names: salesmanNames(scope),
  where: salesmenWhere(scope, filter),
  order: "s.created_at",
});
/** 业务员: one page, newest first. The page is cut before names and figures are looked up. */
export const listSalesmenRoute = implement(listSalesmen, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listSalesmen>>(ctx.tx, input, salesmenListed(ctx.scope, input, ctx.now_ms));
  return { items: items.map(withPhoneMasked), ...rest };
});
