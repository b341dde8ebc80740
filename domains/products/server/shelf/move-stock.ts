import { sql } from "kysely";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { moveStock, setShelfSale, setWarning } from "../../contract/index.ts";
import { nextRev, type Shop } from "../catalog/raise-rev.ts";
import { sameCount } from "../goods/set-sale.ts";
import { shopOf } from "../prices/change-price.ts";
import { shelfOf } from "./read-shelf.ts";

export interface At extends Shop {
  readonly store_id: string;
  readonly sku_id: string;
}
interface Held {
  readonly stock: number | null;
  readonly reserved: number;
}
/** What a store has of a SKU, held until the commit; a row is made where there is none. */
export async function holdStock(tx: Transaction, { service_provider_id, merchant_id, store_id, sku_id }: At): Promise<Held> {
  await sql`insert into product_stores (service_provider_id, merchant_id, store_id, sku_id) values (${service_provider_id}, ${merchant_id}, ${store_id}, ${sku_id})
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<Held>`select stock, reserved from product_stores
    where service_provider_id = ${service_provider_id} and store_id = ${store_id} and sku_id = ${sku_id} for update`.execute(tx);
  if (!rows[0]) throw new Error("a shelf without a row");
  return rows[0];
}
/** Writes one move and the stock after it, over a row that is held. @returns the stock */
export async function writeMove(
  { tx, services, now, now_ms, principal }: Pick<Ctx, "tx" | "services" | "now" | "now_ms" | "principal">,
  at: At,
  move: {
    readonly cause: number;
    readonly cause_id: string;
    readonly units: number;
    readonly after: number | null;
    readonly order_id?: string;
    readonly note?: string | undefined;
  },
): Promise<number | null> {
  const { cause, cause_id, units, after, order_id = null, note = null } = move;
  await tx
    .insertInto("stock_moves")
    .values({
      ...at,
      id: services.ids.uuid(now_ms),
      cause,
      cause_id,
      units,
      stock_after: after ?? 0,
      order_id,
      note,
      by_name: principal.name,
      created_at: now,
    })
    .execute();
  await tx
    .updateTable("product_stores")
    .set({ stock: after })
    .where("service_provider_id", "=", at.service_provider_id)
    .where("store_id", "=", at.store_id)
    .where("sku_id", "=", at.sku_id)
    .execute();
  return after;
}
const CAUSES = { start: 0, in: 1, out: 2, count: 3, stop: 6 } as const;
const MOST = 999_999;

/** 调整库存: by hand, one after another for a SKU at a store. */
export const moveStockRoute = implement(moveStock, async (ctx, { requestId, storeId, skuId, act, units, note }) => {
  const shop = await shopOf(ctx, skuId, storeId);
  // Whether a store counts is in the catalogue; its lock comes before the shelf's.
  const rev = act === "start" || act === "stop" ? await nextRev(ctx.tx, shop) : undefined;
  const at = { ...shop, store_id: storeId, sku_id: skuId };
  const { stock, reserved } = await holdStock(ctx.tx, at);
  if (act === "start" && stock !== null) throw conflict("这个商品已在计数");
  if (act !== "start" && stock === null) throw conflict("这个商品还没有开始计数");
  if ((act === "in" || act === "out") && units === 0) throw invalid("units", "数量须大于 0");
  const had = stock ?? 0;
  const after = { start: units, in: had + units, out: had - units, count: units, stop: null }[act];
  if (act === "out" && had - reserved < units) throw invalid("units", `可出库 ${Math.max(0, had - reserved)} 件`);
  if (act === "stop" && reserved > 0) throw conflict(`还有 ${reserved} 件被订单占用，不能停止计数`);
  if ((after ?? 0) > MOST) throw invalid("units", `库存不能超过 ${MOST.toLocaleString("en-US")}`);
  const left = await writeMove(ctx, at, { cause: CAUSES[act], cause_id: requestId, units: (after ?? 0) - had, after, note });
  if (rev !== undefined)
    await ctx.tx
      .updateTable("product_skus")
      .set({ rev })
      .where("service_provider_id", "=", shop.service_provider_id)
      .where("id", "=", skuId)
      .execute();
  ctx.note({
    targetKind: "product",
    targetId: skuId,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    before: { storeId, stock },
    after: { act, units, stock: left },
  });
  return { stock: left };
});

/** 设置库存预警: told when so many or fewer are left; null tells nobody. */
export const setWarningRoute = implement(setWarning, async (ctx, { storeId, skuId, warnBelow }) => {
  const shop = await shopOf(ctx, skuId, storeId);
  await holdStock(ctx.tx, { ...shop, store_id: storeId, sku_id: skuId });
  await ctx.tx
    .updateTable("product_stores")
    .set({ warn_below: warnBelow })
    .where("service_provider_id", "=", shop.service_provider_id)
    .where("store_id", "=", storeId)
    .where("sku_id", "=", skuId)
    .execute();
  ctx.note({
    targetKind: "product",
    targetId: skuId,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { storeId, warnBelow },
  });
  return { ok: true as const };
});

/** 门店上架, 下架: what is named, or all of a filter with the count that was seen; the merchant's own switch stays. */
export const setShelfSaleRoute = implement(setShelfSale, async (ctx, { storeId, onSale, skuIds, filter, count }) => {
  if (skuIds.length > 0 === (filter !== undefined)) throw invalid("skuIds", "请选择商品");
  const { tx, scope } = ctx;
  const { provider, merchant } = scope;
  const { from, where } = await shelfOf(tx, scope, { ...filter, storeId });
  const meant = sql`${where} and (${filter !== undefined} or k.id = any(${skuIds}::uuid[]))`;
  const shop = { service_provider_id: provider ?? "", merchant_id: merchant ?? "" };
  const rev = await nextRev(tx, shop);
  const { rows } = await sql<{ id: string }>`select k.id from ${from} where ${meant}`.execute(tx);
  sameCount(rows.length, filter ? count : new Set(skuIds).size, filter !== undefined);
  const done = await sql<{ sku_id: string }>`insert into product_stores (service_provider_id, merchant_id, store_id, sku_id, on_sale)
      select ${provider}, ${merchant}, ${storeId}, id, ${onSale} from unnest(${rows.map(({ id }) => id)}::uuid[]) as u(id) order by id
    on conflict (service_provider_id, store_id, sku_id) do update set on_sale = excluded.on_sale where product_stores.on_sale <> excluded.on_sale returning sku_id`.execute(
    tx,
  );
  await sql`update product_skus k set rev = ${rev} where k.service_provider_id = ${provider} and k.id = any(${done.rows.map(({ sku_id }) => sku_id)}::uuid[])`.execute(
    tx,
  );
  ctx.note({ targetKind: "product", provider, merchant, after: { storeId, onSale, changed: done.rows.length, skuIds, filter } });
  return { changed: done.rows.length };
});
