import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { getProduct, getProducts, readScale, summariseProducts } from "../../contract/index.ts";

export type ProductRow = RowOf<typeof getProducts>;
type Filter = ParsedOf<typeof summariseProducts>;

export const PRODUCTS_FROM = sql`product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id`;
export const SPEC = sql`array_to_string(k.spec, ' / ')`;
/** Where a small picture is. */
export const pictureOf = (column: string) => sql`'/api/product-pictures/' || ${sql.ref(column)} || '?size=small'`;
/** The first bar code; the others are told apart in the details. */
export const FIRST_BARCODE = sql`(select b.barcode from sku_barcodes b where b.service_provider_id = k.service_provider_id and b.sku_id = k.id and b.retired_at is null order by b.units, b.barcode limit 1)`;
const COLUMNS = sql`k.id, k.product_id as "productId", k.sku_no as "skuNo", p.name, ${SPEC} as spec, ${FIRST_BARCODE} as barcode, p.category, p.unit,
  coalesce((select string_agg(t.name, '、' order by t.code) from product_tag_members m join product_tags t on t.service_provider_id = m.service_provider_id and t.id = m.tag_id
    where m.service_provider_id = p.service_provider_id and m.product_id = p.id), '') as tags,
  ${pictureOf("p.picture_id")} as picture, k.price_cents as "priceCents", k.member_cents as "memberCents",
  (select min(a.from_at) from product_prices a where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.status < 2 and a.store_id is null) as "nextAt",
  case when p.base_id is null then 'own' else 'base' end as source, p.withdrawn, case when k.on_sale then 'on' else 'off' end as state, k.created_at as "createdAt"`;

/** The bar code that a keyword is, or that a scale printed into it. */
export const codeOf = (pattern: string, keyword: string): string => readScale(pattern, keyword)?.item ?? keyword.toUpperCase();
/** What a keyword means over `product_skus k` and `products p`: a part of the name, the number, or a bar code, also one that a scale printed. */
export function foundBy(keyword: string, pattern: string): RawBuilder<boolean> {
  const like = likeText(keyword);
  return sql<boolean>`(p.name ilike ${like} or k.sku_no ilike ${like} or exists (select 1 from sku_barcodes b
    where b.service_provider_id = k.service_provider_id and b.sku_id = k.id and b.barcode = ${codeOf(pattern, keyword)} and b.retired_at is null))`;
}
/** How the scales of the merchant in sight print. */
export async function patternOf(tx: Transaction, scope: Scope): Promise<string> {
  const { rows } = await sql<{
    scale_pattern: string;
  }>`select c.scale_pattern from merchant_catalogs c where ${inScope(scope, "c", "merchant")} limit 1`.execute(tx);
  return rows[0]?.scale_pattern ?? "FFIIIIIPPPPPC";
}

/** The living SKUs of a filter within the scope. */
export async function productsWhere(
  tx: Transaction,
  scope: Scope,
  { keyword, category, tagId, source, state }: Filter,
): Promise<RawBuilder<boolean>> {
  return all([
    inScope(scope, "k", "merchant"),
    sql`k.retired_at is null`,
    keyword && foundBy(keyword, await patternOf(tx, scope)),
    is("p.category", category),
    tagId &&
      sql`exists (select 1 from product_tag_members m where m.service_provider_id = p.service_provider_id and m.product_id = p.id and m.tag_id = ${tagId})`,
    source && (source === "own" ? sql`p.base_id is null` : sql`p.base_id is not null`),
    state && sql`k.on_sale = ${state === "on"}`,
  ]);
}
/** The list for screen and file. */
export const productsListed = async (scope: Scope, filter: Filter, tx: Transaction): Promise<Listed> => ({
  columns: COLUMNS,
  from: PRODUCTS_FROM,
  where: await productsWhere(tx, scope, filter),
  order: "k.created_at",
});

/** 商品: a row for each SKU, newest first. */
export const getProductsRoute = implement(getProducts, async (ctx, input) =>
  listPage<ProductRow>(ctx.tx, input, await productsListed(ctx.scope, input, ctx.tx)),
);

/** The categories of a merchant's own products, for filters and forms. */
export async function categoriesOf(tx: Transaction, scope: Scope): Promise<string[]> {
  const { rows } = await sql<{ category: string }>`select distinct p.category from products p
    where ${inScope(scope, "p", "merchant")} and p.retired_at is null and p.category is not null order by 1 limit 200`.execute(tx);
  return rows.map(({ category }) => category);
}

/** How many there are; by state without the filter's own, for the tabs; and what filters and forms offer. */
export const summariseProductsRoute = implement(summariseProducts, async ({ tx, scope }, { state, ...rest }) => {
  const { rows } = await sql<{
    state: "on" | "off";
    count: number;
  }>`select case when k.on_sale then 'on' else 'off' end as state, count(*)::int as count
    from ${PRODUCTS_FROM} where ${await productsWhere(tx, scope, rest)} group by 1`.execute(tx);
  const tags = await sql<{
    id: string;
    name: string;
  }>`select t.id, t.name from product_tags t where ${inScope(scope, "t", "merchant")} order by t.code limit 200`.execute(tx);
  return {
    count: rows.filter((row) => state === undefined || row.state === state).reduce((sum, { count }) => sum + count, 0),
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
    categories: await categoriesOf(tx, scope),
    tags: tags.rows,
    scalePattern: await patternOf(tx, scope),
  };
});

type Details = OutputOf<typeof getProduct>;
/** 商品详情: the whole product of a SKU. */
export const getProductRoute = implement(getProduct, async ({ tx, scope }, { id }) => {
  type Found = Omit<Details, "skus" | "prices" | "stores"> & { service_provider_id: string };
  const { rows } =
    await sql<Found>`select ${COLUMNS}, k.service_provider_id, p.revision, p.tax_code as "taxCode", p.tax_rate as "taxRate", p.policy,
      '/api/product-pictures/' || p.picture_id as "pictureUrl", p.base_id as "baseId", p.own, p.attributes, p.weighed, p.gift, p.no_discount as "noDiscount"
    from ${PRODUCTS_FROM} where ${inScope(scope, "k", "merchant")} and k.id = ${id} and k.retired_at is null`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("商品");
  const { service_provider_id, ...product } = found;
  const mine = sql`k.service_provider_id = ${service_provider_id} and k.product_id = ${product.productId}`;
  const skus = await sql<
    Details["skus"][number]
  >`select k.id, k.sku_no as "skuNo", k.spec, k.price_cents as "priceCents", k.member_cents as "memberCents", k.sort,
      case when k.on_sale then 'on' else 'off' end as state,
      coalesce((select jsonb_agg(jsonb_build_object('barcode', b.barcode, 'units', b.units) order by b.units, b.barcode) from sku_barcodes b
        where b.service_provider_id = k.service_provider_id and b.sku_id = k.id and b.retired_at is null), '[]') as barcodes
    from product_skus k where ${mine} and k.retired_at is null order by k.sort, k.created_at, k.sku_no`.execute(tx);
  const prices = await sql<
    Details["prices"][number]
  >`select a.id, k.sku_no as "skuNo", s.short_name as "storeName", a.kind, a.cents, a.from_at as "fromAt", a.status,
      a.by_name as "byName", a.imported
    from product_prices a join product_skus k on k.service_provider_id = a.service_provider_id and k.id = a.sku_id
    left join stores s on s.service_provider_id = a.service_provider_id and s.id = a.store_id and ${inScope(scope, "s")}
    where ${mine} and k.retired_at is null and (a.store_id is null or s.id is not null) order by a.from_at desc, a.rev desc, a.kind desc limit 50`.execute(
    tx,
  );
  const stores = await sql<Details["stores"][number]>`select x.store_id as "storeId", s.short_name as "storeName", x.on_sale as "onSale",
      x.price_cents as "priceCents", x.member_cents as "memberCents", x.stock
    from product_stores x join stores s on s.service_provider_id = x.service_provider_id and s.id = x.store_id
    where ${inScope(scope, "x", "store")} and x.sku_id = ${id} order by s.created_at, s.id limit 200`.execute(tx);
  return { ...product, skus: skus.rows, prices: prices.rows, stores: stores.rows } as never;
});
