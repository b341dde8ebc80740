import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { type Author, type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { AHEAD_MS, cancelPrice, changePrice, isFar } from "../../contract/index.ts";
import { nextRev, type Shop } from "../catalog/raise-rev.ts";
import { type Change, firstAbove, type Levels, levelsAt } from "./price-rules.ts";
import { turnPrices } from "./turn-prices.ts";

const YEAR_MS = 366 * 86_400_000;
const MINUTE_MS = 60_000;

export interface Wanted {
  readonly sku_id: string;
  readonly store_id: string | null;
  /** Undefined stays as it is. */
  readonly price_cents?: number | null;
  readonly member_cents?: number | null;
  readonly from_ms?: number;
  readonly confirmed: boolean;
  readonly imported?: boolean;
}
/** A SKU with its prices at both levels and what is planned of them. */
async function readPrices(tx: Transaction, { service_provider_id, merchant_id }: Shop, sku_id: string, store_id: string | null) {
  const { rows } = await sql<{ gift: boolean; sku_no: string; levels: Levels; ahead: Change[]; begun_at: string }>`
    select p.gift, k.sku_no, jsonb_build_object('merchant', jsonb_build_object('price_cents', k.price_cents, 'member_cents', k.member_cents),
        'store', jsonb_build_object('price_cents', x.price_cents, 'member_cents', x.member_cents)) as levels,
      coalesce((select jsonb_agg(jsonb_build_object('store', a.store_id is not null, 'kind', a.kind, 'cents', a.cents, 'from_at', a.from_at))
        from product_prices a where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.status < 2
          and (a.store_id is null or a.store_id = ${store_id}::uuid)), '[]') as ahead,
      coalesce((select max(a.from_at) from product_prices a where a.service_provider_id = k.service_provider_id and a.sku_id = k.id and a.status = 2), k.created_at) as begun_at
    from product_skus k join products p on p.service_provider_id = k.service_provider_id and p.id = k.product_id
    left join product_stores x on x.service_provider_id = k.service_provider_id and x.sku_id = k.id and x.store_id = ${store_id}::uuid
    where k.service_provider_id = ${service_provider_id} and k.merchant_id = ${merchant_id} and k.id = ${sku_id} and k.retired_at is null`.execute(
    tx,
  );
  if (!rows[0]) throw notFound("商品");
  return rows[0];
}

/**
 * 改价: the price and member price that differ from what holds at that moment; under the catalogue's lock.
 * @throws 400 at `priceCents`, `memberCents` or `from`; 409 `price.far` for a change of more than half that nobody confirmed
 */
export async function setPrice(author: Author, tx: Transaction, shop: Shop, rev: number, wanted: Wanted): Promise<boolean> {
  const { sku_id, store_id, confirmed, imported = false } = wanted;
  const wanted_ms = wanted.from_ms ?? author.now_ms;
  if (wanted_ms < author.now_ms) throw invalid("from", "生效时间须晚于现在");
  if (wanted_ms > author.now_ms + YEAR_MS) throw invalid("from", "生效时间不能晚于一年后");
  const { gift, levels, ahead, begun_at } = await readPrices(tx, shop, sku_id, store_id);
  // What is changed now begins no earlier than what somebody else changed while this waited.
  const at_once = wanted_ms === author.now_ms;
  const from_ms = at_once ? Math.max(wanted_ms, Date.parse(begun_at)) : wanted_ms;
  const then = levelsAt(levels, ahead, from_ms);
  const before = store_id === null ? then.merchant : then.store;
  const given = { price: wanted.price_cents, member: wanted.member_cents } as const;
  if (store_id === null && given.price === null) throw invalid("priceCents", "请填写售价");
  if ((given.price === 0 || given.member === 0) && !gift)
    throw invalid(given.price === 0 ? "priceCents" : "memberCents", "只有赠品可以是 0 元");
  const from_at = new Date(from_ms).toISOString();
  const changes = (["price", "member"] as const).flatMap((kind): Change[] => {
    const cents = given[kind];
    return cents === undefined || cents === before[`${kind}_cents`] ? [] : [{ store: store_id !== null, kind, cents, from_at }];
  });
  if (changes.length === 0) return false;
  for (const { kind, cents } of changes) {
    const old = before[`${kind}_cents`] ?? then.merchant[`${kind}_cents`];
    if (cents === null || old === null || confirmed || !isFar(old, cents)) continue;
    throw conflict(`${kind === "price" ? "售价" : "会员价"}由 ¥${yuan(old)} 改为 ¥${yuan(cents)}，变动超过 50%，请确认`, "price.far");
  }
  const planned = [
    ...ahead.filter((one) => !changes.some((c) => c.kind === one.kind && c.store === one.store && Date.parse(one.from_at) === from_ms)),
    ...changes,
  ];
  const above = firstAbove(levels, planned, store_id !== null, author.now_ms);
  if (above !== undefined)
    throw invalid("memberCents", above <= from_ms ? "会员价不能高于售价" : `${shanghaiTime(above)} 起会员价将高于售价，请先调整那次改价`);
  await writePrices(author, tx, shop, rev, { sku_id, store_id, from_ms, at_once, imported, changes });
  return true;
}

async function writePrices(
  { services, now, now_ms, principal }: Author,
  tx: Transaction,
  shop: Shop,
  rev: number,
  {
    sku_id,
    store_id,
    from_ms,
    at_once,
    imported,
    changes,
  }: Pick<Wanted, "sku_id" | "store_id"> & { from_ms: number; at_once: boolean; imported: boolean; changes: readonly Change[] },
): Promise<void> {
  const at = sql`sku_id = ${sku_id} and store_id is not distinct from ${store_id}::uuid`;
  await sql`update product_prices set status = 3
    where service_provider_id = ${shop.service_provider_id} and ${at} and status < 2 and from_at = ${new Date(from_ms).toISOString()}::timestamptz
    and kind = any(${changes.map(({ kind }) => kind)}::text[])`.execute(tx);
  await tx
    .insertInto("product_prices")
    .values(
      changes.map(({ kind, cents, from_at }) => ({
        ...shop,
        id: services.ids.uuid(now_ms),
        sku_id,
        store_id,
        kind,
        cents,
        from_at,
        status: at_once ? 2 : from_ms <= now_ms + AHEAD_MS ? 1 : 0,
        by_name: principal.name,
        imported,
        rev,
        created_at: now,
      })),
    )
    .execute();
  const set = at_once ? Object.fromEntries(changes.map(({ kind, cents }) => [`${kind}_cents`, cents])) : {};
  if (store_id !== null && at_once)
    await tx
      .insertInto("product_stores")
      .values({ ...shop, store_id, sku_id, ...set })
      .onConflict((there) => there.columns(["service_provider_id", "store_id", "sku_id"]).doUpdateSet(set))
      .execute();
  await tx
    .updateTable("product_skus")
    .set({ rev, ...(store_id === null && set) })
    .where("service_provider_id", "=", shop.service_provider_id)
    .where("id", "=", sku_id)
    .execute();
}

/** The merchant of a SKU in sight, and that the store is in sight too. @throws 404 */
export async function shopOf({ tx, scope }: Pick<Ctx, "tx" | "scope">, sku_id: string, store_id: string | null): Promise<Shop> {
  const { rows } = await sql<Shop>`select k.service_provider_id, k.merchant_id from product_skus k
    where k.id = ${sku_id} and k.retired_at is null and ${inScope(scope, "k", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("商品");
  if (store_id === null) return rows[0];
  const stores =
    await sql`select 1 from stores s where s.id = ${store_id} and s.merchant_id = ${rows[0].merchant_id} and ${inScope(scope, "s")}`.execute(
      tx,
    );
  if (stores.rows.length === 0) throw notFound("门店");
  return rows[0];
}

/** 商品改价: of the merchant by whoever sees all of it, of a store by whoever sees that. */
export const changePriceRoute = implement(changePrice, async (ctx, { skuId, storeId, priceCents, memberCents, from, confirmed }) => {
  if (storeId === null && (ctx.scope.stores !== undefined || !ctx.principal.holds(["/product/product/edit"])))
    throw invalid("storeId", "请选择门店");
  const shop = await shopOf(ctx, skuId, storeId);
  const rev = await nextRev(ctx.tx, shop);
  await asPlatform(ctx.tx, () => turnPrices(ctx.tx, shop, rev, ctx.now_ms));
  const from_ms = from === undefined ? ctx.now_ms : Math.floor(Date.parse(from) / MINUTE_MS) * MINUTE_MS;
  await setPrice(ctx, ctx.tx, shop, rev, {
    sku_id: skuId,
    store_id: storeId,
    price_cents: priceCents,
    member_cents: memberCents,
    from_ms,
    confirmed,
  });
  ctx.note({
    targetKind: "product",
    targetId: skuId,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { storeId, priceCents, memberCents, from },
  });
  return { ok: true as const };
});

/** 取消改价: one that has not begun. */
export const cancelPriceRoute = implement(cancelPrice, async (ctx, { id }) => {
  const { rows } = await sql<Shop & { sku_id: string; store_id: string | null; kind: "price" | "member" }>`
    select a.service_provider_id, a.merchant_id, a.sku_id, a.store_id, a.kind from product_prices a where a.id = ${id} and ${inScope(ctx.scope, "a", "merchant")}`.execute(
    ctx.tx,
  );
  const [found] = rows;
  if (!found) throw notFound("改价");
  await shopOf(ctx, found.sku_id, found.store_id);
  if (found.store_id === null && (ctx.scope.stores !== undefined || !ctx.principal.holds(["/product/product/edit"])))
    throw notFound("改价");
  const rev = await nextRev(ctx.tx, found);
  await asPlatform(ctx.tx, () => turnPrices(ctx.tx, found, rev, ctx.now_ms));
  const changed =
    await sql`update product_prices set status = 3 where service_provider_id = ${found.service_provider_id} and id = ${id} and status < 2`.execute(
      ctx.tx,
    );
  mustChange({ numUpdatedRows: changed.numAffectedRows ?? 0n }, () => conflict("这次改价已经生效或取消"));
  const { levels, ahead } = await readPrices(ctx.tx, found, found.sku_id, found.store_id);
  if (firstAbove(levels, ahead, found.store_id !== null, ctx.now_ms) !== undefined)
    throw conflict("取消后会员价将高于售价，请一并取消同一时间的会员价");
  await ctx.tx
    .updateTable("product_skus")
    .set({ rev })
    .where("service_provider_id", "=", found.service_provider_id)
    .where("id", "=", found.sku_id)
    .execute();
  ctx.note({
    targetKind: "product",
    targetId: found.sku_id,
    provider: found.service_provider_id,
    merchant: found.merchant_id,
    after: { cancelled: id },
  });
  return { ok: true as const };
});
