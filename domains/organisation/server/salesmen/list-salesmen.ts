import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listSalesmen } from "../../contract/index.ts";
import { salesmanColumns, salesmanNames, salesmenWhere, withPhoneMasked } from "./salesman-columns.ts";

/** 业务员: one page, newest first. The page is cut before names and figures are looked up. */
export const listSalesmenRoute = implement(listSalesmen, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listSalesmen>>(ctx.tx, input, {
    columns: salesmanColumns(ctx.scope, ctx.now_ms),
    from: sql`salesmen s`,
    names: salesmanNames(ctx.scope),
    where: salesmenWhere(ctx.scope, input),
    order: "s.created_at",
  });
  return { items: items.map(withPhoneMasked), ...rest };
});
