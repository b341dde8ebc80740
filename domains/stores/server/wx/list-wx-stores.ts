import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getWxStore, listWxStores } from "../../contract/index.ts";
import { storesFoundBy } from "../stores/found-by.ts";

const WX_STORES = sql`stores s left join wx_stores w on w.service_provider_id = s.service_provider_id and w.store_id = s.id`;
const wxStoreColumns = sql`s.id, s.number, s.name, s.city, s.address, w.wx_store_id as "wxStoreId", coalesce(w.status, 'none') as status, w.message,
  w.synced_at as "syncedAt", s.created_at as "createdAt"`;

/** 微信门店: the merchant's stores with what the channel knows of each. */
export const listWxStoresRoute = implement(listWxStores, async (ctx, { keyword, status, ...input }) =>
  listPage<RowOf<typeof listWxStores>>(ctx.tx, input, {
    columns: wxStoreColumns,
    from: WX_STORES,
    where: sql`${inScope(ctx.scope, "s")} ${status ? sql`and coalesce(w.status, 'none') = ${status}` : sql``}
    ${keyword ? sql`and ${await storesFoundBy(ctx.tx, keyword)}` : sql``}`,
    order: "s.created_at",
    most: Infinity,
  }),
);
/** 微信门店详情. */
export const getWxStoreRoute = implement(getWxStore, async (ctx, { id }) => {
  const found = await sql<RowOf<typeof listWxStores>>`select ${wxStoreColumns} from ${WX_STORES}
    where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  if (!found.rows[0]) throw notFound("门店");
  return found.rows[0];
});
