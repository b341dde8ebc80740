import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { getSaleGood, getSaleGoods, summariseSaleGoods } from "../../contract/index.ts";
import { pictureOf } from "../goods/read-products.ts";
import { inLibrary, OWNER } from "./read-base.ts";

export type SaleGoodsRow = RowOf<typeof getSaleGoods>;
type Filter = ParsedOf<typeof summariseSaleGoods>;
const FROM = sql`base_skus v join base_goods g on g.service_provider_id = v.service_provider_id and g.id = v.base_id`;
const soldOf = (
  scope: Scope,
) => sql`left join lateral (select count(*)::int as merchants, count(*) filter (where k.on_sale)::int as on_sale, min(k.price_cents) as low, max(k.price_cents) as high
  from product_skus k where k.service_provider_id = v.service_provider_id and k.base_sku_id = v.id and k.retired_at is null and ${inScope(scope, "k", "merchant")}) n on true`;
const COLUMNS = sql`v.id, g.name, array_to_string(v.spec, ' / ') as spec, v.barcode, g.category, ${pictureOf("g.picture_id")} as picture, ${OWNER} as owner,
  n.merchants, n.on_sale as "onSale", n.low as "lowCents", n.high as "highCents", v.created_at as "createdAt"`;
const where = (scope: Scope, { keyword, category, owner }: Filter): RawBuilder<boolean> =>
  all([
    inLibrary(scope),
    keyword && sql`g.name ilike ${likeText(keyword)} or v.barcode = ${keyword.toUpperCase()}`,
    is("g.category", category),
    owner && sql`${OWNER} = ${owner}`,
  ]);
export const saleGoodsListed = (scope: Scope, filter: Filter): Listed => ({
  columns: COLUMNS,
  from: sql`${FROM} ${soldOf(scope)}`,
  where: where(scope, filter),
  counted: FROM,
  order: "v.created_at",
});

/** 销售商品: who sells a base SKU, and between which prices. */
export const getSaleGoodsRoute = implement(getSaleGoods, (ctx, input) =>
  listPage<SaleGoodsRow>(ctx.tx, input, saleGoodsListed(ctx.scope, input)),
);

export const summariseSaleGoodsRoute = implement(summariseSaleGoods, async ({ tx, scope }, filter) => {
  const { rows } = await sql<{
    count: number;
    sold: number;
  }>`select count(*)::int as count, count(*) filter (where n.merchants > 0)::int as sold
    from ${FROM} ${soldOf(scope)} where ${where(scope, filter)}`.execute(tx);
  const categories = await sql<{
    category: string;
  }>`select distinct g.category from base_goods g where ${inLibrary(scope)} and g.category is not null order by 1 limit 200`.execute(tx);
  return { ...rows[0]!, categories: categories.rows.map(({ category }) => category) };
});

type Details = OutputOf<typeof getSaleGood>;
/** 销售商品详情: the merchants in sight that sell it, the lowest price first. */
export const getSaleGoodRoute = implement(getSaleGood, async ({ tx, scope }, { id }) => {
  const { rows } = await sql<
    Omit<Details, "sellers"> & { service_provider_id: string }
  >`select ${COLUMNS}, v.service_provider_id, v.base_id as "baseId"
    from ${FROM} ${soldOf(scope)} where ${inLibrary(scope)} and v.id = ${id}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("销售商品");
  const { service_provider_id, ...good } = found;
  const sellers = await sql<
    Details["sellers"][number]
  >`select k.id as "skuId", m.short_name as "merchantName", k.sku_no as "skuNo", p.name, k.price_cents as "priceCents",
      k.member_cents as "memberCents", case when k.on_sale then 'on' else 'off' end as state
    from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
    join merchants m on m.service_provider_id = k.service_provider_id and m.id = k.merchant_id
    where k.service_provider_id = ${service_provider_id} and k.base_sku_id = ${id} and k.retired_at is null and ${inScope(scope, "k", "merchant")} order by k.price_cents, k.id limit 200`.execute(
    tx,
  );
  return { ...good, sellers: sellers.rows } as never;
});
