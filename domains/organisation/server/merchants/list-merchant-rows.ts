import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { FEW } from "@zhangfang/server/found-by.ts";
import { listPage } from "@zhangfang/server/list-page.ts";
import { listMerchantRows as endpoint } from "../../contract/index.ts";
import { merchantColumns, merchantNames, withMasks } from "./merchant-columns.ts";
import { merchantsWhere } from "./merchant-filter.ts";

/** 商户: one page, newest first. The page is cut before names and counts are looked up. */
export const listMerchantRows = implement(endpoint, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof endpoint>>(ctx.tx, input, {
    columns: merchantColumns(ctx.scope),
    from: sql`merchants m`,
    names: merchantNames(ctx.scope),
    where: await merchantsWhere(ctx.tx, ctx.scope, input),
    order: "m.opened_at",
    ...(input.keyword && { most: FEW }),
  });
  return { items: items.map(withMasks), ...rest };
});
