import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type Listed, listPage } from "@zhangfang/server/lists/list-page.ts";
import { listProviders } from "../../contract/index.ts";
import { withMasks } from "../merchants/list/merchant-columns.ts";
import { providerColumns, type ProviderFilter, providersWhere } from "./provider-columns.ts";

/** The list of providers, for screen and file. */
export const providersListed = (scope: Scope, filter: ProviderFilter, now_ms: number): Listed => ({
  columns: providerColumns(now_ms),
  from: sql`service_providers p`,
  names: sql``,
  where: providersWhere(scope, filter, now_ms),
  order: "p.created_at",
  most: Infinity,
});
/** 服务商: one page, newest first. The page is cut before what stands below each is counted. */
export const listProvidersRoute = implement(listProviders, async (ctx, input) => {
  const { items, ...rest } = await listPage<RowOf<typeof listProviders>>(ctx.tx, input, providersListed(ctx.scope, input, ctx.now_ms));
  return { items: items.map(withMasks), ...rest };
});
