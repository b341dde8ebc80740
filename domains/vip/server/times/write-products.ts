import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  addTimesProduct,
  getTimesOffers,
  getTimesProduct,
  listTimesProducts,
  setTimesProductState,
  summariseTimesProducts,
  updateTimesProduct,
} from "../../contract/index.ts";
import type { Merchant } from "../levels/read-rules.ts";

export type ProductRow = RowOf<typeof listTimesProducts>;
/** The names of the stores where something is good; everywhere where none is named. */
export const storeNames = (alias: string): RawBuilder<string> => {
  const ids = sql.ref(`${alias}.store_ids`);
  return sql<string>`case when cardinality(${ids}) = 0 then '全部门店' else (select string_agg(n.short_name, '、' order by n.short_name) from stores n
    where n.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)} and n.id = any(${ids})) end`;
};
const SOLD = sql`(select count(*) from times_cards c where c.service_provider_id = p.service_provider_id and c.product_id = p.id and c.paid_at is not null)::int`;
const COLUMNS = sql`p.id, p.name, p.times, p.gift_times as "giftTimes", p.price_cents as "priceCents", p.single_price_cents as "singlePriceCents", p.days,
  p.store_ids as "storeIds", ${storeNames("p")} as "storeNames", p.state, ${SOLD} as "soldCount", p.revision, p.created_at as "createdAt"`;
function productsWhere(scope: Scope, { keyword, state }: ParsedOf<typeof summariseTimesProducts>): RawBuilder<boolean> {
  return all([inScope(scope, "p", "merchant"), keyword && sql`p.name ilike ${likeText(keyword)}`, is("p.state", state)]);
}
/** The list of times cards for sale, for screen and file. */
export const productsListed = (scope: Scope, filter: ParsedOf<typeof summariseTimesProducts>): Listed => ({
  columns: COLUMNS,
  from: sql`times_products p`,
  where: productsWhere(scope, filter),
  order: "p.created_at",
});

/** 次卡: what is for sale, and what was. */
export const listTimesProductsRoute = implement(listTimesProducts, (ctx, input) =>
  listPage<ProductRow>(ctx.tx, input, productsListed(ctx.scope, input)),
);
export const summariseTimesProductsRoute = implement(summariseTimesProducts, async (ctx, { state, ...rest }) => {
  const { rows } = await sql<{
    state: string;
    count: number;
    sold: number;
  }>`select p.state, count(*)::int as count, sum(${SOLD})::int as sold
    from times_products p where ${productsWhere(ctx.scope, rest)} group by p.state`.execute(ctx.tx);
  const shown = rows.filter((row) => state === undefined || row.state === state);
  return {
    count: shown.reduce((sum, { count }) => sum + count, 0),
    soldCount: shown.reduce((sum, { sold }) => sum + sold, 0),
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
});
export const getTimesProductRoute = implement(getTimesProduct, (ctx, { id }) => productOf(ctx, id));
/** @throws 404 */
async function productOf({ tx, scope }: Ctx, id: string): Promise<ProductRow> {
  const { rows } =
    await sql<ProductRow>`select ${COLUMNS} from times_products p where p.id = ${id} and ${inScope(scope, "p", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("次卡");
  return rows[0];
}

type Facts = Omit<ParsedOf<typeof addTimesProduct>, never>;
const columnsOf = ({ name, times, giftTimes, priceCents, singlePriceCents, days, storeIds }: Facts) => ({
  name,
  times,
  gift_times: giftTimes,
  price_cents: priceCents,
  single_price_cents: singlePriceCents,
  days,
  store_ids: storeIds,
});
/** @throws 400 where a price or a store cannot be */
async function check({ tx, scope }: Ctx, { times, priceCents, singlePriceCents, storeIds }: Facts): Promise<void> {
  if (singlePriceCents * times < priceCents) throw invalid("singlePriceCents", "单次价乘次数不能低于售价，否则顾客单买更便宜");
  if (storeIds.length === 0) return;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from stores s where s.id = any(${`{${storeIds.join(",")}}`}::uuid[])
    and ${inScope(scope, "s", "merchant")}`.execute(tx);
  if (rows[0]?.n !== new Set(storeIds).size) throw notFound("门店");
}
const taken = (name: string) => invalid("name", `已有名为「${name}」的次卡`);
const told = (ctx: Ctx, id: string, after: object) =>
  ctx.note({ targetKind: "times_product", targetId: id, provider: ctx.scope.provider, merchant: ctx.scope.merchant, after });

/** 新建次卡. */
export const addTimesProductRoute = implement(addTimesProduct, async (ctx, facts) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw notFound("商户");
  await check(ctx, facts);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const added = await ctx.tx
    .insertInto("times_products")
    .values({ service_provider_id: provider, merchant_id: merchant, id, ...columnsOf(facts), created_at: ctx.now })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "name"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw taken(facts.name);
  told(ctx, id, facts);
  return { ok: true as const, id };
});
/** 修改次卡: for those that are sold from now on. */
export const updateTimesProductRoute = implement(updateTimesProduct, async (ctx, { id, revision, ...facts }) => {
  await productOf(ctx, id);
  await check(ctx, facts);
  const { rows } =
    await sql`select 1 from times_products p where ${inScope(ctx.scope, "p", "merchant")} and p.name = ${facts.name} and p.id <> ${id}`.execute(
      ctx.tx,
    );
  if (rows.length > 0) throw taken(facts.name);
  const changed = await ctx.tx
    .updateTable("times_products")
    .set({ ...columnsOf(facts), revision: revision + 1 })
    .where("service_provider_id", "=", ctx.scope.provider ?? "")
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("次卡已被别人修改，请重新打开后再改"));
  told(ctx, id, facts);
  return { ok: true as const };
});
/** 启停次卡: cards that were sold hold on. */
export const setTimesProductStateRoute = implement(setTimesProductState, async (ctx, { id, state }) => {
  const product = await productOf(ctx, id);
  if (product.state === state) return { ok: true as const };
  const changed = await ctx.tx
    .updateTable("times_products")
    .set({ state, revision: product.revision + 1 })
    .where("service_provider_id", "=", ctx.scope.provider ?? "")
    .where("id", "=", id)
    .where("revision", "=", product.revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("次卡已被别人修改，请重新打开后再改"));
  told(ctx, id, { state });
  return { ok: true as const };
});

/** What may be sold at a store. @param store none: at some store of the merchant */
export async function onSaleAt(tx: Transaction, { service_provider_id, merchant_id }: Merchant, store?: string) {
  const products = await tx
    .selectFrom("times_products")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("state", "=", "active")
    .orderBy("created_at")
    .orderBy("id")
    .limit(200)
    .execute();
  return products.filter(({ store_ids }) => store === undefined || store_ids.length === 0 || store_ids.includes(store));
}
export const getTimesOffersRoute = implement(getTimesOffers, async (ctx) => {
  const { provider, merchant } = ctx.scope;
  if (!provider || !merchant) throw notFound("商户");
  const products = await onSaleAt(ctx.tx, { service_provider_id: provider, merchant_id: merchant });
  return {
    products: products.map(({ id, name, times, gift_times, price_cents }) => ({
      id,
      name: `${name}（${times}${gift_times > 0 ? ` + ${gift_times}` : ""} 次）`,
      priceCents: price_cents as never,
    })),
  };
});
