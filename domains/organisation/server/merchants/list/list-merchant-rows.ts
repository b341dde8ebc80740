import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { FEW } from "@zhangfang/server/lists/found-by.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { listMerchantRows } from "../../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./merchant-columns.ts";
import { type MerchantFilter, merchantsWhere } from "./merchant-filter.ts";

/** The list of merchants, for screen and file. The page is cut before names and counts are looked up. */
export const merchantsListed = async (scope: Scope, filter: MerchantFilter, tx: Transaction): Promise<Listed> => ({
  columns: merchantColumns(scope),
  from: sql`merchants m`,
  names: merchantNames(scope),
  where: await merchantsWhere(tx, scope, filter),
  order: "m.opened_at",
  ...(filter.keyword && { most: FEW }),
});
/** 商户: one page, newest first. */
export const listMerchantRowsRoute = implement(listMerchantRows, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listMerchantRows>>(ctx.tx, input, await merchantsListed(ctx.scope, input, ctx.tx));
  return { items: items.map(withMasks), ...rest };
});
