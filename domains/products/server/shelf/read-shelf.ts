import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { getShelf, getShelfItem, summariseShelf } from "../../contract/index.ts";
import { categoriesOf, FIRST_BARCODE, foundBy, patternOf, pictureOf, SPEC } from "../goods/read-products.ts";

export type ShelfRow = RowOf<typeof getShelf>;
type Filter = ParsedOf<typeof summariseShelf>;

const NO_STORE = "00000000-0000-0000-0000-000000000000";
/** The store that is shown: the one that is named, else the first in sight. */
async function shownStore(tx: Transaction, scope: Scope, storeId: string | undefined): Promise<string> {
  const { rows } = await sql<{
    id: string;
  }>`select s.id from stores s where ${inScope(scope, "s")} and ${storeId === undefined ? sql`s.state = 'active'` : sql`s.id = ${storeId}`}
    order by s.created_at, s.id limit 1`.execute(tx);
  return rows[0]?.id ?? NO_STORE;
}
const fromAt = (
  store: string,
) => sql`product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
  join stores s on s.service_provider_id = k.service_provider_id and s.merchant_id = k.merchant_id and s.id = ${store}
  left join product_stores x on x.service_provider_id = k.service_provider_id and x.sku_id = k.id and x.store_id = s.id`;
const PRICE = sql`coalesce(x.price_cents, k.price_cents)`;
const ON_SALE = sql`(k.on_sale and coalesce(x.on_sale, true))`;
const STOCK_STATE = sql`case when x.stock is null then 'none' when x.stock < 0 then 'below' when x.stock <= x.warn_below then 'low' else 'enough' end`;
const COLUMNS = sql`k.id, k.sku_no as "skuNo", p.name, ${SPEC} as spec, ${FIRST_BARCODE} as barcode, p.category, ${pictureOf("p.picture_id")} as picture,
  ${PRICE} as "priceCents", case when coalesce(x.member_cents, k.member_cents) is not null then least(coalesce(x.member_cents, k.member_cents), ${PRICE}) end as "memberCents",
  x.price_cents is not null or x.member_cents is not null as "ownPrice", x.stock, coalesce(x.reserved, 0) as reserved, x.warn_below as "warnBelow", ${STOCK_STATE} as "stockState",
  case when ${ON_SALE} then 'on' else 'off' end as state, case when k.on_sale then 'on' else 'off' end as "merchantState", k.created_at as "createdAt"`;

async function shelfWhere(
  tx: Transaction,
  scope: Scope,
  { keyword, category, state, stock }: Omit<Filter, "storeId">,
): Promise<RawBuilder<boolean>> {
  return all([
    inScope(scope, "k", "merchant"),
    inScope(scope, "s"),
    sql`k.retired_at is null`,
    keyword && foundBy(keyword, await patternOf(tx, scope)),
    is("p.category", category),
    state && sql`${ON_SALE} = ${state === "on"}`,
    stock && sql`${STOCK_STATE} = ${stock}`,
  ]);
}
/** What a filter finds at a store, over `product_skus k`, `products p`, `stores s` and `product_stores x`. */
export async function shelfOf(tx: Transaction, scope: Scope, { storeId, ...filter }: Filter) {
  return { from: fromAt(await shownStore(tx, scope, storeId)), where: await shelfWhere(tx, scope, filter) };
}
export const shelfListed = async (scope: Scope, filter: Filter, tx: Transaction): Promise<Listed> => ({
  columns: COLUMNS,
  ...(await shelfOf(tx, scope, filter)),
  order: "k.created_at",
});

/** 门店商品: what the merchant sells, as it is at one store. */
export const getShelfRoute = implement(getShelf, async (ctx, input) =>
  listPage<ShelfRow>(ctx.tx, input, await shelfListed(ctx.scope, input, ctx.tx)),
);

/** How many there are, by state without the filter's own and by stock; and the stores to choose from. */
export const summariseShelfRoute = implement(summariseShelf, async ({ tx, scope }, { state, ...rest }) => {
  const { from, where } = await shelfOf(tx, scope, rest);
  const { rows } = await sql<{
    state: string;
    stock: string;
    count: number;
  }>`select case when ${ON_SALE} then 'on' else 'off' end as state, ${STOCK_STATE} as stock, count(*)::int as count
    from ${from} where ${where} group by 1, 2`.execute(tx);
  const stores = await sql<{
    id: string;
    name: string;
  }>`select s.id, s.short_name as name from stores s where ${inScope(scope, "s")} and s.state = 'active' order by s.created_at, s.id limit 500`.execute(
    tx,
  );
  const shown = rows.filter((row) => state === undefined || row.state === state);
  const sums = (of: typeof rows, key: "state" | "stock"): Record<string, number> => {
    const by: Record<string, number> = {};
    for (const row of of) by[row[key]] = (by[row[key]] ?? 0) + row.count;
    return by;
  };
  return {
    count: shown.reduce((sum, { count }) => sum + count, 0),
    byState: sums(rows, "state"),
    byStock: sums(shown, "stock"),
    storeId: stores.rows[0]?.id ?? null,
    stores: stores.rows,
    categories: await categoriesOf(tx, scope),
  };
});

type Details = OutputOf<typeof getShelfItem>;
/** 门店商品详情, with the newest moves of its stock. */
export const getShelfItemRoute = implement(getShelfItem, async ({ tx, scope }, { id, storeId }) => {
  type Found = Omit<Details, "moves"> & { service_provider_id: string };
  const { rows } =
    await sql<Found>`select ${COLUMNS}, k.service_provider_id, s.id as "storeId", s.short_name as "storeName", x.price_cents as "ownPriceCents",
      x.member_cents as "ownMemberCents", k.price_cents as "merchantPriceCents", k.member_cents as "merchantMemberCents"
    from ${fromAt(storeId)} where ${await shelfWhere(tx, scope, {})} and k.id = ${id}`.execute(tx);
  const [found] = rows;
  if (!found) throw notFound("商品");
  const { service_provider_id, ...item } = found;
  const moves = await sql<
    Details["moves"][number]
  >`select m.id, m.cause, m.units, m.stock_after as after, o.order_no as "orderNo", m.note, m.by_name as "byName", m.created_at as at
    from stock_moves m left join pay_orders o on o.service_provider_id = m.service_provider_id and o.id = m.order_id
    where m.service_provider_id = ${service_provider_id} and m.store_id = ${storeId} and m.sku_id = ${id} order by m.seq desc limit 50`.execute(
    tx,
  );
  return { ...item, moves: moves.rows } as never;
});
