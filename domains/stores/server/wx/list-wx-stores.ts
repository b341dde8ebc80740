import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listWxStores as endpoint } from "../../contract/index.ts";
import { storesFoundBy } from "../stores/found-by.ts";

/** 微信门店: the merchant's stores with what the channel knows of each. */
export const listWxStores = implement(endpoint, async (ctx, { cursor, pageSize, withTotal, keyword, status }) => {
  const from = sql`stores s left join wx_stores w on w.service_provider_id = s.service_provider_id and w.store_id = s.id`;
  const where = sql`${inScope(ctx.scope, "s")} ${status ? sql`and coalesce(w.status, 'none') = ${status}` : sql``}
    ${keyword ? sql`and ${await storesFoundBy(ctx.tx, keyword)}` : sql``}`;
  const found = await sql<RowOf<typeof endpoint>>`
    select s.id, s.number, s.name, s.city, s.address, w.wx_store_id as "wxStoreId", coalesce(w.status, 'none') as status, w.message,
      w.synced_at as "syncedAt", s.created_at as "createdAt"
    from ${from} where ${where} and ${after(cursor, "s.created_at", "s.id", "timestamptz", true)}
    order by s.created_at desc, s.id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  const cut = page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
  if (!withTotal) return cut;
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${where}`.execute(ctx.tx);
  return { ...cut, total: { count: counted.rows[0]?.n ?? 0, more: false } };
});
