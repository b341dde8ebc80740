import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getPlatformGoods, listPlatformGoods, saveGoodsServe, summarisePlatformGoods } from "../../contract/index.ts";
import { mustHold } from "../vouchers/read-vouchers.ts";

type Row = RowOf<typeof listPlatformGoods>;
type Filter = ParsedOf<typeof summarisePlatformGoods>;
const MAPPED = sql`(select count(*)::int from other_stores o where o.service_provider_id = g.service_provider_id and o.merchant_id = g.merchant_id
  and o.platform = g.platform and o.mapped_store_id is not null and o.platform_store_id = any(g.poi_ids))`;
const COLUMNS = sql`g.id, g.platform, g.goods_id as "goodsId", g.title, g.goods_kind as kind, g.status, g.price_cents as "priceCents",
  g.market_cents as "marketCents", g.stock, g.sold, nullif(cardinality(g.poi_ids), 0) as stores, ${MAPPED} as mapped, g.serve,
  m.short_name as "merchantName", g.seen_at as "seenAt"`;
const FROM = sql`platform_goods g join merchants m on m.service_provider_id = g.service_provider_id and m.id = g.merchant_id`;
const where = (scope: Scope, { platform, merchantId, keyword, status, kind }: Filter, leaveStatus = false): RawBuilder<boolean> =>
  all([
    inScope(scope, "g", "merchant"),
    is("g.platform", platform),
    is("g.merchant_id", merchantId),
    keyword && sql`g.title ilike ${likeText(keyword)} or g.goods_id = ${keyword}`,
    !leaveStatus && is("g.status", status),
    is("g.goods_kind", kind),
  ]);
/** 平台商品 */
export const listPlatformGoodsRoute = implement(listPlatformGoods, (ctx, input) => {
  mustHold(ctx, input.platform, "/goods");
  return listPage<Row>(ctx.tx, input, { columns: COLUMNS, from: FROM, where: where(ctx.scope, input), order: "g.seen_at" });
});
export const summarisePlatformGoodsRoute = implement(summarisePlatformGoods, async (ctx, filter) => {
  const { tx, scope } = ctx;
  mustHold(ctx, filter.platform, "/goods");
  const { rows } = await sql<{ status: number; count: number }>`select g.status, count(*)::int as count from platform_goods g
    where ${where(scope, filter, true)} group by g.status`.execute(tx);
  const waiting = await sql<{ n: number }>`select count(*)::int as n from other_stores o where ${inScope(scope, "o", "merchant")}
    and o.platform = ${filter.platform} and o.mapped_store_id is null and ${is("o.merchant_id", filter.merchantId) ?? sql`true`}`.execute(
    tx,
  );
  const byStatus = Object.fromEntries(rows.map(({ status, count }) => [String(status), count]));
  const count = rows.reduce((sum, row) => sum + (filter.status === undefined || row.status === filter.status ? row.count : 0), 0);
  return { count, byStatus, waitingStores: waiting.rows[0]!.n };
});
export const getPlatformGoodsRoute = implement(getPlatformGoods, async (ctx, { id }) => {
  const { tx, scope } = ctx;
  const { rows } = await sql<
    Row & { provider: string; servedBy: string; poi_ids: string[]; merchant_id: string }
  >`select ${COLUMNS}, g.served_by as "servedBy",
      g.service_provider_id as provider, g.merchant_id, g.poi_ids from ${FROM} where g.id = ${id} and ${inScope(scope, "g", "merchant")}`.execute(
    tx,
  );
  if (!rows[0]) throw notFound("平台商品");
  const { provider, merchant_id, poi_ids, ...goods } = rows[0];
  mustHold(ctx, goods.platform, "/goods");
  const poi = await sql<{
    poiId: string;
    name: string;
    storeName: string | null;
  }>`select o.platform_store_id as "poiId", o.name, s.short_name as "storeName"
    from other_stores o left join stores s on s.service_provider_id = o.service_provider_id and s.id = o.mapped_store_id
    where o.service_provider_id = ${provider} and o.merchant_id = ${merchant_id} and o.platform = ${goods.platform}
      and o.platform_store_id = any(${poi_ids}::text[]) order by o.name limit 200`.execute(tx);
  const used = await sql<{
    n: number;
    cents: number;
  }>`select count(*)::int as n, coalesce(sum(e.pay_cents), 0)::bigint as cents from platform_entries e
    where e.service_provider_id = ${provider} and e.merchant_id = ${merchant_id} and e.platform = ${goods.platform} and e.goods_id = ${goods.goodsId}
      and e.kind = 'verify' and not exists (select from platform_entries r where r.service_provider_id = e.service_provider_id
        and r.merchant_id = e.merchant_id and r.platform = e.platform and r.kind = 'reverse' and r.certificate_id = e.certificate_id
        and r.verify_id = e.verify_id)`.execute(tx);
  return { ...goods, poi: poi.rows, verified: used.rows[0]!.n, verifiedCents: used.rows[0]!.cents as never };
});
/** 要上的菜 */
export const saveGoodsServeRoute = implement(saveGoodsServe, async (ctx, { id, serve }) => {
  const { rows } = await sql<{ service_provider_id: string; merchant_id: string; platform: "dy" | "ks" }>`update platform_goods g
    set serve = ${serve}, served_by = ${askerOf(ctx).name} where g.id = ${id} and ${inScope(ctx.scope, "g", "merchant")}
    returning g.service_provider_id, g.merchant_id, g.platform`.execute(ctx.tx);
  const [row] = rows;
  if (!row) throw notFound("平台商品");
  mustHold(ctx, row.platform, "/goods/map");
  ctx.note({ targetKind: "platform_goods", targetId: id, provider: row.service_provider_id, merchant: row.merchant_id, after: { serve } });
  return { ok: true } as const;
});
