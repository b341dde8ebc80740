import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { listProviders } from "../../contract/index.ts";
import { withMasks } from "../merchants/list/merchant-columns.ts";
import { providerColumns, providersWhere } from "./provider-columns.ts";

/** 服务商: one page, newest first. The page is cut before what stands below each is counted. */
export const listProvidersRoute = implement(listProviders, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listProviders>>(ctx.tx, input, {
    columns: providerColumns(ctx.now_ms),
    from: sql`service_providers p`,
    names: sql``,
    where: providersWhere(ctx.scope, input, ctx.now_ms),
    order: "p.created_at",
    most: Infinity,
  });
  return { items: items.map(withMasks), ...rest };
});
