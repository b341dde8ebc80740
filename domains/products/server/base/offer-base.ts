import { sql } from "kysely";
import { type Author, type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { adoptBaseGood, offerBaseGoods, takeBackBaseGoods } from "../../contract/index.ts";
import { nextRev, ownShop, type Shop } from "../catalog/raise-rev.ts";
import { type Made, makeProduct } from "../goods/write-products.ts";
import { inLibrary, lockBases } from "./read-base.ts";

type Reach = ParsedOf<typeof offerBaseGoods>;
/** That all that is named is the provider's own library, and the merchant in sight. @throws 404 */
async function checkReach({ tx, scope }: Pick<Ctx, "tx" | "scope">, { ids, merchantId }: Reach): Promise<string> {
  const provider = scope.provider ?? "";
  const found =
    await sql`select 1 from base_goods g where ${inLibrary(scope)} and g.merchant_id is null and g.id = any(${ids}::uuid[])`.execute(tx);
  if (found.rows.length !== new Set(ids).size) throw notFound("基础商品");
  if (merchantId === null) return provider;
  const merchants = await sql`select 1 from merchants m where m.id = ${merchantId} and ${inScope(scope, "m")}`.execute(tx);
  if (merchants.rows.length === 0) throw notFound("商户");
  return provider;
}

/** Offers base goods to one merchant, or to all that the provider has; also for the demo world. @returns how many offers are new */
export async function offer({ now }: Pick<Author, "now">, tx: Transaction, provider: string, { ids, merchantId }: Reach): Promise<number> {
  await lockBases(tx, ids);
  const done = await sql`insert into base_offers (service_provider_id, base_id, merchant_id, created_at)
    select ${provider}, u.id, m.id, ${now} from unnest(${ids}::uuid[]) as u(id) join merchants m on m.service_provider_id = ${provider}
      and (${merchantId === null} or m.id = ${merchantId}::uuid) on conflict do nothing`.execute(tx);
  // Who sold it before it was taken back may put it on sale again.
  await sql`update products p set withdrawn = false where p.service_provider_id = ${provider} and p.base_id = any(${ids}::uuid[]) and p.withdrawn
    and (${merchantId === null} or p.merchant_id = ${merchantId}::uuid)`.execute(tx);
  return Number(done.numAffectedRows ?? 0n);
}
/** 下发基础商品. */
export const offerBaseGoodsRoute = implement(offerBaseGoods, async (ctx, given) => {
  const provider = await checkReach(ctx, given);
  const changed = await offer(ctx, ctx.tx, provider, given);
  ctx.note({ targetKind: "base-good", provider, after: { ...given, changed } });
  return { changed };
});

/** 收回基础商品: what is sold of it goes off sale at once, at every till of the merchant. */
export const takeBackBaseGoodsRoute = implement(takeBackBaseGoods, async (ctx, given) => {
  const provider = await checkReach(ctx, given);
  const { ids, merchantId } = given;
  const { tx } = ctx;
  await lockBases(tx, ids);
  const { rows: shops } =
    await sql<Shop>`select distinct p.service_provider_id, p.merchant_id from products p where p.service_provider_id = ${provider} and p.base_id = any(${ids}::uuid[])
    and p.retired_at is null and not p.withdrawn and (${merchantId === null} or p.merchant_id = ${merchantId}::uuid) order by 2`.execute(
      tx,
    );
  for (const shop of shops) {
    const rev = await nextRev(tx, shop);
    await sql`with taken as (update products p set withdrawn = true where p.service_provider_id = ${provider} and p.merchant_id = ${shop.merchant_id} and p.base_id = any(${ids}::uuid[])
        and p.retired_at is null returning p.id)
      update product_skus k set on_sale = false, rev = ${rev} from taken t where k.service_provider_id = ${provider} and k.product_id = t.id and k.retired_at is null`.execute(
      tx,
    );
  }
  const done = await sql`delete from base_offers o where o.service_provider_id = ${provider} and o.base_id = any(${ids}::uuid[])
    and (${merchantId === null} or o.merchant_id = ${merchantId}::uuid)`.execute(tx);
  const changed = Number(done.numAffectedRows ?? 0n);
  ctx.note({ targetKind: "base-good", provider, after: { ...given, changed } });
  return { changed };
});

type Adopted = Omit<ParsedOf<typeof adoptBaseGood>, "requestId">;
/** A merchant's product of a base good, with all that it inherits; also for the demo world. @throws 400, 404, 409 */
export async function adopt(author: Author, tx: Transaction, shop: Shop, { id, skus }: Adopted): Promise<Made> {
  await lockBases(tx, [id]);
  const { rows } = await sql<{
    name: string;
    category: string | null;
    unit: string | null;
    tax_code: string | null;
    tax_rate: number | null;
    policy: number;
    picture_id: string | null;
    attributes: string[];
    sold: boolean;
  }>`
    select g.name, g.category, g.unit, g.tax_code, g.tax_rate, g.policy, g.picture_id, g.attributes,
      exists (select 1 from products p where p.service_provider_id = g.service_provider_id and p.merchant_id = ${shop.merchant_id} and p.base_id = g.id and p.retired_at is null) as sold
    from base_goods g where g.id = ${id} and ${inLibrary(author.scope)}`.execute(tx);
  const [base] = rows;
  if (!base) throw notFound("基础商品");
  if (base.sold) throw conflict("已经在销售这个基础商品");
  const { rows: variants } = await sql<{
    id: string;
    spec: string[];
    barcode: string | null;
  }>`select v.id, v.spec, v.barcode from base_skus v
    where v.service_provider_id = ${shop.service_provider_id} and v.base_id = ${id}`.execute(tx);
  const chosen = skus.map(({ variantId, skuNo, priceCents, memberCents }, n) => {
    const variant = variants.find((one) => one.id === variantId);
    if (!variant) throw invalid(`skus.${n}.variantId`, "规格不存在");
    return {
      skuNo,
      spec: variant.spec,
      priceCents,
      memberCents: memberCents as never,
      sort: 0,
      barcodes: variant.barcode === null ? [] : [{ barcode: variant.barcode, units: 1 }],
    };
  });
  const given = {
    name: base.name,
    category: base.category,
    unit: base.unit,
    taxCode: base.tax_code,
    taxRate: base.tax_rate as never,
    policy: base.policy as never,
    picture: null,
    attributes: base.attributes,
    weighed: false,
    gift: false,
    noDiscount: false,
    onSale: true,
    skus: chosen,
  };
  return makeProduct(author, tx, shop, given, { base_id: id, picture_id: base.picture_id, skus: skus.map(({ variantId }) => variantId) });
}
/** 转为销售商品. */
export const adoptBaseGoodRoute = implement(adoptBaseGood, async (ctx, { requestId: _once, ...given }) => {
  const shop = ownShop(ctx.scope);
  const made = await adopt(ctx, ctx.tx, shop, given);
  ctx.note({
    targetKind: "product",
    targetId: made.id,
    provider: shop.service_provider_id,
    merchant: shop.merchant_id,
    after: { baseId: given.id },
  });
  return { ok: true as const, id: made.id };
});
