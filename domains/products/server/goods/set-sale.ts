import { sql, type RawBuilder } from "kysely";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { BATCH_MOST, setProductSale } from "../../contract/index.ts";
import { nextRev, ownShop } from "../catalog/raise-rev.ts";
import { PRODUCTS_FROM, productsWhere } from "./read-products.ts";

type Chosen = Pick<ParsedOf<typeof setProductSale>, "skuIds" | "filter" | "count">;

/**
 * The SKUs that a batch means, over `product_skus k` and `products p`: those that are named, all in sight, or a whole filter that still
 * finds as many as were seen. @throws 400, 404, 409 `batch.moved`
 */
export async function chosenSkus({ tx, scope }: Ctx, { skuIds, filter, count }: Chosen): Promise<RawBuilder<boolean>> {
  if (skuIds.length > 0 === (filter !== undefined)) throw invalid("skuIds", "请选择商品");
  const where = filter
    ? await productsWhere(tx, scope, filter)
    : all([inScope(scope, "k", "merchant"), sql`k.retired_at is null`, sql`k.id = any(${skuIds}::uuid[])`]);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${PRODUCTS_FROM} where ${where}`.execute(tx);
  sameCount(rows[0]?.n ?? 0, filter ? count : new Set(skuIds).size, filter !== undefined);
  return where;
}
/** That as many are found as were meant. @throws 404 of named ones, 400 or 409 of a filter */
export function sameCount(found: number, meant: number | undefined, filtered: boolean): void {
  if (!filtered && found !== meant) throw notFound("商品");
  if (meant === undefined) throw invalid("count", "请确认数量");
  if (found > BATCH_MOST) throw invalid("count", `一次最多 ${BATCH_MOST.toLocaleString("en-US")} 个，请缩小筛选范围`);
  if (found !== meant) throw conflict(`筛选结果已由 ${meant} 个变为 ${found} 个，请重新确认`, "batch.moved");
}

/** 上架, 下架. What the provider took back stays off. */
export const setProductSaleRoute = implement(setProductSale, async (ctx, { onSale, ...chosen }) => {
  const shop = ownShop(ctx.scope);
  const rev = await nextRev(ctx.tx, shop);
  const where = await chosenSkus(ctx, chosen);
  const done = await sql`update product_skus k set on_sale = ${onSale}, rev = ${rev} from products p
    where p.service_provider_id = k.service_provider_id and p.id = k.product_id and ${where} and k.on_sale <> ${onSale} and not (${onSale} and p.withdrawn)`.execute(
    ctx.tx,
  );
  const left = await sql<{ n: number }>`select count(*)::int as n from ${PRODUCTS_FROM} where ${all([
    inScope(ctx.scope, "k", "merchant"),
    chosen.filter ? await productsWhere(ctx.tx, ctx.scope, { ...chosen.filter, state: undefined }) : where,
    sql`${onSale} and p.withdrawn`,
  ])}`.execute(ctx.tx);
  const changed = Number(done.numAffectedRows ?? 0n);
  ctx.note({
    targetKind: "product",
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { onSale, changed, ...chosen },
  });
  return { changed, skipped: left.rows[0]?.n ?? 0 };
});
