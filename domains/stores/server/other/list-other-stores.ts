import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { getOtherStore, listOtherStores, otherStoreState, summariseOtherStores } from "../../contract/index.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { SUGGESTED } from "./suggested-store.ts";

/** Stores of other platforms `o`, each with its merchant and the own store it is mapped to. */
export const OTHER_STORES = sql`other_stores o
  join merchants m on m.service_provider_id = o.service_provider_id and m.id = o.merchant_id
  left join stores s on s.service_provider_id = o.service_provider_id and s.id = o.mapped_store_id`;
export const otherStoreColumns = sql`o.id, o.platform, o.platform_store_id as "platformStoreId", o.name, o.merchant_id as "merchantId",
  m.short_name as "merchantName", o.mapped_store_id as "storeId", s.name as "storeName", o.state, o.is_primary as "isPrimary",
  o.mapped_from as "mappedFrom", o.address,
  g.id as "suggestedId", g.short_name as "suggestedName", coalesce(g.why, '') as "suggestedWhy", o.updated_at as "updatedAt"`;

function where(
  scope: Scope,
  { serviceProviderId, platform, state, merchantId, keyword }: ParsedOf<typeof summariseOtherStores>,
  leaveState = false,
) {
  const like = keyword ? likeText(keyword.toLowerCase()) : "";
  return sql`${inScope(scope, "o", "merchant")} ${serviceProviderId ? sql`and o.service_provider_id = ${serviceProviderId}` : sql``}
    ${platform ? sql`and o.platform = ${platform}` : sql``} ${state && !leaveState ? sql`and o.state = ${state}` : sql``}
    ${merchantId ? sql`and o.merchant_id = ${merchantId}` : sql``}
    ${keyword ? sql`and (lower(o.name) like ${like} or lower(s.name) like ${like} or lower(o.platform_store_id) = ${keyword.toLowerCase()})` : sql``}`;
}

/** 其他门店: what was changed last comes first. */
export const listOtherStoresRoute = implement(listOtherStores, (ctx, input) =>
  listPage<RowOf<typeof listOtherStores>>(ctx.tx, input, {
    columns: otherStoreColumns,
    from: sql`${OTHER_STORES} ${SUGGESTED}`,
    where: where(ctx.scope, input),
    order: "o.updated_at",
  }),
);
/** 其他门店详情. */
export const getOtherStoreRoute = implement(getOtherStore, async (ctx, { id }) => {
  const found = await sql<RowOf<typeof listOtherStores>>`select ${otherStoreColumns} from ${OTHER_STORES} ${SUGGESTED}
    where o.id = ${id} and ${where(ctx.scope, {})}`.execute(ctx.tx);
  if (!found.rows[0]) throw notFound("其他门店");
  return found.rows[0];
});
/** 其他门店合计: how many wait for a mapping. */
export const summariseOtherStoresRoute = implement(summariseOtherStores, async (ctx, filter) => {
  const found = await sql<{ state: string; count: number }>`select o.state, count(*)::int as count from ${OTHER_STORES}
    where ${where(ctx.scope, filter, true)} group by o.state`.execute(ctx.tx);
  return { perState: otherStoreState.values.map((state) => ({ state, count: found.rows.find((row) => row.state === state)?.count ?? 0 })) };
});
