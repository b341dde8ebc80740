import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { getBaseGood, getBaseGoods, summariseBaseGoods } from "../../contract/index.ts";
import { pictureOf } from "../goods/read-products.ts";

export type BaseRow = RowOf<typeof getBaseGoods>;
type Filter = ParsedOf<typeof summariseBaseGoods>;

/** The first fence of the library, over `base_goods g`: a provider's own tree, or what is a merchant's own or offered to it. */
export function inLibrary(scope: Scope): RawBuilder<boolean> {
  if (scope.level !== "MCH") return inScope(scope, "g", "provider");
  const offered = sql<boolean>`(g.service_provider_id = ${scope.provider} and g.id in (select o.base_id from base_offers o where ${inScope(scope, "o", "merchant")}))`;
  return sql<boolean>`(${inScope(scope, "g", "merchant")} or ${offered})`;
}
/** Held until the commit by whoever changes, offers, takes back or begins to sell base goods, before anything is read of them: each sees the others whole. */
export async function lockBases(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].toSorted()) await sql`select pg_advisory_xact_lock(hashtextextended(${`base:${id}`}, 0))`.execute(tx);
}
export const BASE_FROM = sql`base_goods g left join merchants w on w.service_provider_id = g.service_provider_id and w.id = g.merchant_id`;
export const OWNER = sql`case when g.merchant_id is null then 'provider' else 'merchant' end`;
const columnsOf = (
  scope: Scope,
) => sql`g.id, g.name, g.category, g.brand, g.unit, g.tax_code as "taxCode", g.tax_rate as "taxRate", ${pictureOf("g.picture_id")} as picture, ${OWNER} as owner,
  w.short_name as "merchantName", g.created_at as "createdAt",
  (select count(*)::int from base_skus v where v.service_provider_id = g.service_provider_id and v.base_id = g.id) as skus,
  (select min(v.barcode) from base_skus v where v.service_provider_id = g.service_provider_id and v.base_id = g.id) as barcode,
  (select count(*)::int from base_offers o where o.service_provider_id = g.service_provider_id and o.base_id = g.id and ${inScope(scope, "o", "merchant")}) as offers,
  (select count(*)::int from products p where p.service_provider_id = g.service_provider_id and p.base_id = g.id and p.retired_at is null and ${inScope(scope, "p", "merchant")}) as sellers`;

export const baseWhere = (scope: Scope, { keyword, category, owner, merchantId }: Partial<Filter>): RawBuilder<boolean> =>
  all([
    inLibrary(scope),
    keyword &&
      sql`g.name ilike ${likeText(keyword)} or g.brand ilike ${likeText(keyword)} or exists (select 1 from base_skus v
        where v.service_provider_id = g.service_provider_id and v.base_id = g.id and v.barcode = ${keyword.toUpperCase()})`,
    is("g.category", category),
    owner && sql`${OWNER} = ${owner}`,
    is("g.merchant_id", merchantId),
  ]);
export const baseListed = (scope: Scope, filter: Filter): Listed => ({
  columns: columnsOf(scope),
  from: BASE_FROM,
  where: baseWhere(scope, filter),
  counted: sql`base_goods g`,
  order: "g.created_at",
});

/** 基础商品: the library in sight, newest first. */
export const getBaseGoodsRoute = implement(getBaseGoods, (ctx, input) => listPage<BaseRow>(ctx.tx, input, baseListed(ctx.scope, input)));

export const summariseBaseGoodsRoute = implement(summariseBaseGoods, async ({ tx, scope }, { owner, ...rest }) => {
  const { rows } = await sql<{
    owner: string;
    count: number;
  }>`select ${OWNER} as owner, count(*)::int as count from base_goods g where ${baseWhere(scope, rest)} group by 1`.execute(tx);
  const categories = await sql<{
    category: string;
  }>`select distinct g.category from base_goods g where ${baseWhere(scope, {})} and g.category is not null order by 1 limit 200`.execute(
    tx,
  );
  return {
    count: rows.filter((row) => owner === undefined || row.owner === owner).reduce((sum, { count }) => sum + count, 0),
    byOwner: Object.fromEntries(rows.map((row) => [row.owner, row.count])),
    categories: categories.rows.map(({ category }) => category),
  };
});

type Details = OutputOf<typeof getBaseGood>;
/** 基础商品详情, with the merchants in sight that may sell it. */
export const getBaseGoodRoute = implement(getBaseGood, async ({ tx, scope }, { id }) => {
  type Found = Omit<Details, "variants" | "merchants"> & { service_provider_id: string };
  const { rows } =
    await sql<Found>`select ${columnsOf(scope)}, g.service_provider_id, g.revision, g.policy, '/api/product-pictures/' || g.picture_id as "pictureUrl", g.attributes,
      g.merchant_id is not distinct from ${scope.merchant ?? null}::uuid as mine,
      (select k.id from products p join product_skus k on k.service_provider_id = p.service_provider_id and k.product_id = p.id and k.retired_at is null
        where p.service_provider_id = g.service_provider_id and p.base_id = g.id and p.merchant_id = ${scope.merchant ?? null}::uuid and p.retired_at is null limit 1) as "adoptedAs"
    from ${BASE_FROM} where ${inLibrary(scope)} and g.id = ${id}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("基础商品");
  const { service_provider_id, ...good } = found;
  const variants = await sql<
    Details["variants"][number]
  >`select v.id, v.spec, v.barcode from base_skus v where v.service_provider_id = ${service_provider_id} and v.base_id = ${id} order by v.place`.execute(
    tx,
  );
  const merchants = await sql<Details["merchants"][number]>`select m.id, m.short_name as name, o.created_at as "offeredAt",
      exists (select 1 from products p where p.service_provider_id = o.service_provider_id and p.base_id = o.base_id and p.merchant_id = o.merchant_id and p.retired_at is null) as sells
    from base_offers o join merchants m on m.service_provider_id = o.service_provider_id and m.id = o.merchant_id
    where o.service_provider_id = ${service_provider_id} and o.base_id = ${id} and ${inScope(scope, "o", "merchant")} order by sells desc, m.created_at, m.id limit 200`.execute(
    tx,
  );
  return { ...good, variants: variants.rows, merchants: merchants.rows } as never;
});
